export * from '#backend/supabase/functions/_shared/schemas/fields.ts';
