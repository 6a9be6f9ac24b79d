/** Hands the schemas that functions and forms share to the application: the one arrow that goes there. */
export * from '#backend/supabase/functions/_shared/schemas/account.ts';
export * from '#backend/supabase/functions/_shared/schemas/business.ts';
export * from '#backend/supabase/functions/_shared/schemas/contact.ts';
export { problemsOf, textUpTo } from '#backend/supabase/functions/_shared/schemas/fields.ts';
