export * from '#backend/supabase/functions/_shared/schemas/event.ts';
