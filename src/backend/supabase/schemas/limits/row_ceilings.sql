-- Row ceilings: how many rows something can have, however slowly they were added.
--
-- Each row below says how many rows of a table can belong to one person, business or other parent,
-- and what error someone gets who adds one more. What the server's operator adds isn't counted.
-- Concurrent inserts can exceed a ceiling by a few rows, unless their procedure serializes them.

create table private.row_ceilings (
  on_table text not null,
  per text not null,
  most int not null check (most > 0),
  -- SQL condition for the rows that count.
  counting text not null default 'true',
  sentence text not null,
  -- The form field the message belongs to.
  field text,
  primary key (on_table, per)
);
comment on table private.row_ceilings is
  'How many rows of a table can have the same value in a column. The server''s operator can change a number at any time; no API role reads or writes it.';
alter table private.row_ceilings enable row level security;

insert into private.row_ceilings (on_table, per, most, counting, sentence, field) values
  ('attempts', 'user_id', 500, 'true', 'You’ve taken the quiz 500 times, which is the limit.', null),
  ('focus_areas', 'user_id', 500, 'true', 'You’ve chosen 500 focus areas, which is the limit.', null),
  ('focus_actions', 'focus_area_id', 200, 'true',
    'A focus area can have at most 200 actions. End it and choose it again.', null),
  ('businesses', 'created_by', 100, 'true', 'You can add at most 100 businesses.', null),
  ('business_members', 'business_id', 100, 'true', 'A business can have at most 100 members.', null),
  ('business_invitations', 'business_id', 50, 'ended is null',
    'You have 50 open invitations. Cancel some before you send more.', 'address'),
  ('business_snapshots', 'business_id', 1000, 'true', 'A business can have at most 1,000 sets of figures.', null),
  ('coach_time_off', 'user_id', 100, 'true', 'You can add time off 100 times. Remove some first.', null),
  ('contact_attempts', 'engagement_id', 200, 'true', 'You’ve logged 200 attempts, which is the limit.', null),
  ('engagements', 'owner_id', 200, 'true', 'You’ve asked for a coach 200 times, which is the limit.', null),
  ('coaching_sessions', 'engagement_id', 500, 'true', 'Coaching can have at most 500 sessions.', null),
  ('session_offers', 'engagement_id', 200, 'true', 'You can offer times at most 200 times.', null),
  ('coaching_actions', 'engagement_id', 500, 'true', 'Coaching can have at most 500 actions.', null),
  ('coach_recommendations', 'engagement_id', 200, 'true',
    'You can recommend at most 200 things to a client.', null),
  ('orders', 'buyer_id', 500, 'true', 'You’ve placed 500 orders, which is the limit.', null),
  ('order_files', 'order_id', 10, 'true', 'An order can have at most 10 files.', 'file'),
  ('seat_codes', 'program_id', 500, 'true', 'A program can have at most 500 codes.', null),
  ('program_sponsors', 'program_id', 50, 'true', 'A program can have at most 50 sponsors.', 'address'),
  ('program_consents', 'program_id', 100, 'true', 'A program’s text can be changed 100 times.', 'consent'),
  ('projects', 'business_id', 500, 'true', 'A business can have at most 500 projects.', null),
  ('project_tasks', 'project_id', 2000, 'true',
    'A project can have at most 2,000 tasks, including removed ones. Start another project.', null),
  ('project_updates', 'project_id', 2000, 'true',
    'A project can have at most 2,000 updates. Start another project.', null),
  ('project_files', 'project_id', 100, 'true', 'A project can have at most 100 files. Remove one first.', null),
  ('tool_copies', 'business_id', 500, 'true', 'A business can have at most 500 copies. Remove one first.', null),
  ('tool_files', 'item_id', 200, 'true', 'A tool can have at most 200 files, with those of its versions.', 'files'),
  ('conversations', 'created_by', 2000, 'true', 'You can start at most 2,000 conversations.', null),
  ('message_attachments', 'conversation_id', 2000, 'true',
    'A conversation can have at most 2,000 files.', 'name'),
  ('message_attachments', 'uploaded_by', 20, 'message_id is null',
    'You have 20 unsent files. Send or remove some first.', 'name'),
  ('blocks', 'user_id', 500, 'true', 'You can block at most 500 people.', null),
  ('saved_views', 'user_id', 100, 'true', 'You can save at most 100 views. Remove some first.', null);

create function private.limit_rows() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_ceiling private.row_ceilings;
  v_full boolean;
begin
  if auth.uid() is null then
    return null;
  end if;
  select * into strict v_ceiling from private.row_ceilings c
  where c.on_table = tg_table_name and c.per = tg_argv[0];
  -- Counts no further than it needs to.
  execute format(
    'select exists (
      select from (select distinct %1$I as parent from written) w
      where $1 < (
        select count(*) from (
          select from public.%2$I t where t.%1$I = w.parent and (%3$s) limit $1 + 1
        ) n
      )
    )',
    v_ceiling.per, v_ceiling.on_table, v_ceiling.counting
  ) into v_full using v_ceiling.most;
  if v_full then
    raise exception '%', v_ceiling.sentence
      using errcode = '55000', hint = coalesce(v_ceiling.field, '');
  end if;
  return null;
end
$$;
comment on function private.limit_rows() is
  'Trigger for tables with a ceiling: raises 55000 if a value of the column in its argument has too many rows.';

do $$
declare
  v_ceiling private.row_ceilings;
begin
  for v_ceiling in select * from private.row_ceilings loop
    execute format(
      'create trigger %I after insert on public.%I referencing new table as written
        for each statement execute function private.limit_rows(%L)',
      v_ceiling.on_table || '_per_' || v_ceiling.per || '_are_limited', v_ceiling.on_table,
      v_ceiling.per
    );
  end loop;
end
$$;
