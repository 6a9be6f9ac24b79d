export * from '#backend/supabase/functions/_shared/schemas/contact.ts';
