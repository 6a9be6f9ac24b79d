export * from '#backend/supabase/functions/_shared/schemas/account.ts';
