export * from '#backend/supabase/functions/_shared/schemas/business.ts';
