-- Handovers: what the next coach needs to know, left by the one before, by an admin, or by both.

create table public.handovers (
  id uuid primary key default gen_random_uuid(),
  engagement_id uuid not null references public.engagements (id),
  from_coach_id uuid references auth.users (id) on delete set null,
  -- Null until there's a next coach.
  to_coach_id uuid references auth.users (id) on delete set null,
  -- What that coach wrote, and what admins did.
  note text check (char_length(note) between 1 and 8000),
  added text check (char_length(added) between 1 and 8000),
  -- Goals, open actions and shared summaries at that moment; never anyone's private notes.
  packet jsonb not null default '{}',
  created_at timestamptz not null default now(),
  handed_at timestamptz
);
comment on table public.handovers is
  'What one coach leaves to the next. The next coach and admins read it through procedures; the owner doesn''t.';
create index handovers_engagement_id_idx on public.handovers (engagement_id, created_at);
create index handovers_from_coach_id_idx on public.handovers (from_coach_id);
create index handovers_to_coach_id_idx on public.handovers (to_coach_id);
-- One waits for the next coach.
create unique index handovers_one_waiting_idx on public.handovers (engagement_id)
  where handed_at is null;
alter table public.handovers enable row level security;

create function private.handover_packet(p_engagement_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'goals', jsonb_build_object('note', e.note, 'areas', e.areas),
      'actions', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'body', a.body, 'doer', a.doer, 'due_on', a.due_on
        ) order by a.due_on, a.created_at, a.id), '[]')
        from public.coaching_actions a where a.engagement_id = e.id and a.state = 'open'
      ),
      'summaries', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'starts_at', s.starts_at, 'topics', s.topics, 'summary', s.summary
        ) order by s.starts_at, s.id), '[]')
        from (
          select * from public.coaching_sessions x
          where x.engagement_id = e.id and x.state = 'completed' and x.summary is not null
          order by x.starts_at desc limit 20
        ) s
      )
    )
    from public.engagements e where e.id = p_engagement_id
  );
end
$$;
comment on function private.handover_packet(uuid) is
  'What the next coach gets: {goals: {note, areas}, actions (open ones), summaries (that the owner reads too, the latest 20)}.';

create function private.leave_handover(p_engagement_id uuid, p_coach_id uuid, p_note text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.handovers as h (engagement_id, from_coach_id, note, added, packet)
  values (
    -- Nobody, if their account is being deleted.
    p_engagement_id, (select u.id from auth.users u where u.id = p_coach_id),
    case when auth.uid() = p_coach_id then p_note end,
    case when auth.uid() is distinct from p_coach_id then p_note end,
    private.handover_packet(p_engagement_id)
  )
  on conflict (engagement_id) where handed_at is null do update set
    note = coalesce(excluded.note, h.note),
    added = pg_catalog.left(nullif(concat_ws(E'\n\n', h.added, excluded.added), ''), 8000),
    packet = excluded.packet;
end
$$;
comment on function private.leave_handover(uuid, uuid, text) is
  'Leaves, or adds to, what the next coach of an engagement needs to know; the lock on the engagement is the caller''s.';

create function private.pass_on() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if old.coach_id is not null and old.state in ('accepted', 'active', 'paused') then
    perform private.leave_handover(new.id, old.coach_id, null);
  end if;
  if new.coach_id is not null then
    update public.handovers h set to_coach_id = new.coach_id, handed_at = now()
    where h.engagement_id = new.id and h.handed_at is null;
  end if;
  return null;
end
$$;
comment on function private.pass_on() is
  'When a coach leaves an engagement that they had accepted, the next one gets a handover.';
create trigger engagements_pass_on after update of state, coach_id on public.engagements
  for each row when (old.coach_id is distinct from new.coach_id and not private.is_closed(new.state))
  execute function private.pass_on();

create function private.handover_json(p_handover public.handovers) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_handover.id, 'note', nullif(concat_ws(E'\n\n', p_handover.note, p_handover.added), ''), 'packet', p_handover.packet,
    'created_at', p_handover.created_at, 'handed_at', p_handover.handed_at,
    'from', private.name_of(p_handover.from_coach_id),
    'to', private.name_of(p_handover.to_coach_id)
  );
end
$$;
comment on function private.handover_json(public.handovers) is
  'A handover for the next coach and for admins: {id, note, packet, created_at, handed_at, from, to (names)}.';
