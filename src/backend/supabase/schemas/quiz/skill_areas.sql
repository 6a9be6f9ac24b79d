-- Skill areas: the eight things an owner can be good at. The text comes from the seed.

create table public.skill_areas (
  key text primary key check (key ~ '^[a-z]+(-[a-z]+)*$'),
  name text not null check (char_length(name) between 1 and 80),
  short_name text not null check (char_length(short_name) between 1 and 40),
  position smallint not null unique check (position > 0),
  summary text not null
);
comment on table public.skill_areas is 'The areas of the quiz, the case studies and the toolbox, in order.';

alter table public.skill_areas enable row level security;

create policy "Everyone signed in reads the skill areas"
  on public.skill_areas for select to authenticated
  using ((select private.session_ok()));

grant select on public.skill_areas to authenticated;
