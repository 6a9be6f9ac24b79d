/** Re-exports the schemas that edge functions share with forms: the app's only import of those. */
export * from '#backend/supabase/functions/_shared/schemas/account.ts';
export * from '#backend/supabase/functions/_shared/schemas/business.ts';
export * from '#backend/supabase/functions/_shared/schemas/contact.ts';
export { problemsOf, textUpTo } from '#backend/supabase/functions/_shared/schemas/fields.ts';
