-- Transitions: every step between states that a project, an attempt, an engagement, a session, an
-- order, a seat, an issue of the newsletter, a tool, a version of the quiz, an event or a place at
-- one can take.
--
--   project     draft → planned → in_progress → in_review → done; blocked in between; canceled
--               from any state except done. Resuming after done or canceled requires a reason.
--   attempt     in_progress → submitted → voided; in_progress → expired
--   engagement  requested → assigned → accepted → active ⇄ paused → completed; back to requested
--               without a coach; withdrawn from any open state; unreachable, ineligible
--   session     scheduled → completed, no_show or canceled
--   seat        unassigned ⇄ assigned → activated; revoked or expired
--   order       by card: draft → pending → paid → part_refunded → refunded; by purchase order:
--               draft → quoted → po_received → invoiced → paid; canceled, expired, failed
--   issue       draft ⇄ scheduled → sending ⇄ stopped; sending → sent
--   tool        draft → published ⇄ archived
--   event       planned → canceled
--   place       held → taken; waiting → offered → taken; lapsed, canceled; asked for again
--   quiz        draft → published → retired, by the next one that's published
--
-- A trigger on each of these tables rejects any other step, no matter who takes it. Procedures
-- check first whether their caller can take the step. src/domain has the same states for the
-- screens; a test compares them.

create table private.transitions (
  entity text not null,
  -- The order in which screens list the steps from a state.
  position smallint not null,
  -- Null for the initial state.
  from_state text,
  to_state text not null,
  -- system: the product itself, such as when it deletes an account.
  who text[] not null check (
    who <@ array['owner', 'member', 'coach', 'buyer', 'sponsor', 'admin', 'system'] and cardinality(who) > 0
  ),
  -- Whether the step requires a reason (of staff, where an owner can take it too).
  needs_note boolean not null default false,
  primary key (entity, position),
  unique nulls not distinct (entity, from_state, to_state)
);
comment on table private.transitions is
  'The steps a project, an attempt, an engagement, a session, an order, a seat, an issue of the newsletter, a tool, a version of the quiz, an event or a place at one can take, and who can take them. Only migrations change rows.';
alter table private.transitions enable row level security;

insert into private.transitions (entity, position, from_state, to_state, who, needs_note) values
  ('project', 1, null, 'draft', '{member}', false),
  ('project', 2, 'draft', 'planned', '{member,admin}', false),
  ('project', 3, 'planned', 'in_progress', '{member,admin}', false),
  ('project', 4, 'blocked', 'in_progress', '{member,admin}', false),
  ('project', 5, 'in_review', 'in_progress', '{member,admin}', true),
  ('project', 6, 'done', 'in_progress', '{member,admin}', true),
  ('project', 7, 'canceled', 'in_progress', '{member,admin}', true),
  ('project', 8, 'in_progress', 'in_review', '{member,admin}', false),
  ('project', 9, 'in_review', 'done', '{member,admin}', false),
  ('project', 10, 'in_progress', 'blocked', '{member,admin}', true),
  ('project', 11, 'draft', 'canceled', '{member,admin}', false),
  ('project', 12, 'planned', 'canceled', '{member,admin}', false),
  ('project', 13, 'in_progress', 'canceled', '{member,admin}', false),
  ('project', 14, 'blocked', 'canceled', '{member,admin}', false),
  ('project', 15, 'in_review', 'canceled', '{member,admin}', false),
  ('attempt', 1, null, 'in_progress', '{owner}', false),
  ('attempt', 2, 'in_progress', 'submitted', '{owner}', false),
  ('attempt', 3, 'in_progress', 'expired', '{system}', false),
  ('attempt', 4, 'submitted', 'voided', '{admin}', true),
  ('engagement', 1, null, 'requested', '{owner}', false),
  ('engagement', 2, 'requested', 'assigned', '{admin,owner}', true),
  ('engagement', 3, 'requested', 'ineligible', '{admin}', true),
  ('engagement', 4, 'requested', 'withdrawn', '{owner,system}', false),
  ('engagement', 5, 'assigned', 'withdrawn', '{owner,system}', false),
  ('engagement', 6, 'accepted', 'withdrawn', '{owner,system}', false),
  ('engagement', 7, 'active', 'withdrawn', '{owner,system}', false),
  ('engagement', 8, 'paused', 'withdrawn', '{owner,system}', false),
  ('engagement', 9, 'assigned', 'requested', '{coach,admin,system}', true),
  ('engagement', 10, 'assigned', 'accepted', '{coach}', false),
  ('engagement', 11, 'accepted', 'active', '{system}', false),
  ('engagement', 12, 'accepted', 'requested', '{admin,system}', true),
  ('engagement', 13, 'accepted', 'unreachable', '{coach}', false),
  ('engagement', 14, 'unreachable', 'accepted', '{owner,system}', false),
  ('engagement', 15, 'active', 'paused', '{owner,coach}', false),
  ('engagement', 16, 'paused', 'active', '{owner,coach,system}', false),
  ('engagement', 17, 'active', 'completed', '{coach,admin}', true),
  ('engagement', 18, 'paused', 'completed', '{coach,admin}', true),
  ('engagement', 19, 'completed', 'active', '{owner,coach}', false),
  ('engagement', 20, 'active', 'requested', '{admin,system}', true),
  ('engagement', 21, 'paused', 'requested', '{admin,system}', true),
  ('order', 1, null, 'draft', '{buyer}', false),
  ('order', 2, 'draft', 'pending', '{buyer}', false),
  ('order', 3, 'expired', 'pending', '{buyer}', false),
  ('order', 4, 'failed', 'pending', '{buyer}', false),
  ('order', 5, 'draft', 'quoted', '{buyer,admin}', false),
  ('order', 6, 'expired', 'quoted', '{buyer,admin}', false),
  ('order', 7, 'quoted', 'po_received', '{buyer,admin}', false),
  ('order', 8, 'po_received', 'invoiced', '{admin}', false),
  ('order', 9, 'draft', 'canceled', '{buyer,admin,system}', false),
  ('order', 10, 'pending', 'canceled', '{buyer,admin,system}', false),
  ('order', 11, 'failed', 'canceled', '{buyer,admin,system}', false),
  ('order', 12, 'expired', 'canceled', '{buyer,admin,system}', false),
  ('order', 13, 'quoted', 'canceled', '{buyer,admin,system}', false),
  ('order', 14, 'po_received', 'canceled', '{admin}', true),
  ('order', 15, 'invoiced', 'canceled', '{admin}', true),
  ('order', 16, 'pending', 'expired', '{system}', false),
  ('order', 17, 'quoted', 'expired', '{system}', false),
  ('order', 18, 'pending', 'failed', '{system}', false),
  -- By what was paid and what went back. Money that comes late counts too.
  ('order', 19, 'draft', 'paid', '{system}', false),
  ('order', 20, 'pending', 'paid', '{system}', false),
  ('order', 21, 'expired', 'paid', '{system}', false),
  ('order', 22, 'failed', 'paid', '{system}', false),
  ('order', 23, 'canceled', 'paid', '{system}', false),
  ('order', 24, 'po_received', 'paid', '{system}', false),
  ('order', 25, 'invoiced', 'paid', '{system}', false),
  ('order', 26, 'paid', 'part_refunded', '{system}', false),
  ('order', 27, 'paid', 'refunded', '{system}', false),
  ('order', 28, 'part_refunded', 'refunded', '{system}', false),
  ('order', 29, 'part_refunded', 'paid', '{system}', false),
  ('order', 30, 'refunded', 'part_refunded', '{system}', false),
  ('order', 31, 'refunded', 'paid', '{system}', false),
  ('order', 32, 'quoted', 'paid', '{system}', false),
  -- A new quote that an admin has to make.
  ('order', 34, 'expired', 'draft', '{buyer}', false),
  ('session', 1, null, 'scheduled', '{coach,owner}', false),
  ('session', 2, 'scheduled', 'completed', '{coach}', false),
  ('session', 3, 'scheduled', 'no_show', '{coach}', false),
  ('session', 4, 'scheduled', 'canceled', '{coach,owner,system}', false),
  ('seat', 1, null, 'unassigned', '{admin,system}', false),
  ('seat', 2, 'unassigned', 'assigned', '{owner,sponsor,admin,system}', false),
  ('seat', 3, 'assigned', 'activated', '{owner}', false),
  ('seat', 4, 'assigned', 'unassigned', '{admin,system}', false),
  ('seat', 5, 'activated', 'revoked', '{owner,admin,system}', true),
  ('seat', 6, 'unassigned', 'revoked', '{system}', false),
  ('seat', 7, 'assigned', 'revoked', '{system}', false),
  ('seat', 8, 'activated', 'expired', '{owner,system}', false),
  ('seat', 9, 'unassigned', 'expired', '{system}', false),
  ('seat', 10, 'assigned', 'expired', '{system}', false),
  ('issue', 1, null, 'draft', '{admin}', false),
  ('issue', 2, 'draft', 'scheduled', '{admin}', false),
  ('issue', 3, 'scheduled', 'draft', '{admin}', false),
  ('issue', 4, 'draft', 'sending', '{admin}', false),
  ('issue', 5, 'scheduled', 'sending', '{admin,system}', false),
  ('issue', 6, 'sending', 'stopped', '{admin}', false),
  ('issue', 7, 'stopped', 'sending', '{admin}', false),
  ('issue', 8, 'sending', 'sent', '{system}', false),
  ('quiz', 1, null, 'draft', '{admin,system}', false),
  ('quiz', 2, 'draft', 'published', '{admin,system}', true),
  ('quiz', 3, 'published', 'retired', '{system}', false),
  -- Tools from content/ are published when they come.
  ('tool', 1, null, 'draft', '{admin}', false),
  ('tool', 2, null, 'published', '{system}', false),
  ('tool', 3, 'draft', 'published', '{admin}', false),
  ('tool', 4, 'published', 'archived', '{admin}', true),
  ('tool', 5, 'archived', 'published', '{admin}', false),
  ('event', 1, null, 'planned', '{system}', false),
  ('event', 2, 'planned', 'canceled', '{admin,system}', false),
  ('place', 1, null, 'held', '{owner}', false),
  ('place', 2, null, 'waiting', '{owner}', false),
  ('place', 3, 'held', 'taken', '{owner,admin}', false),
  ('place', 4, 'held', 'lapsed', '{system}', false),
  ('place', 5, 'held', 'canceled', '{owner,admin,system}', false),
  ('place', 6, 'waiting', 'offered', '{system}', false),
  ('place', 7, 'waiting', 'taken', '{admin}', false),
  ('place', 8, 'waiting', 'lapsed', '{system}', false),
  ('place', 9, 'waiting', 'canceled', '{owner,admin,system}', false),
  ('place', 10, 'offered', 'taken', '{owner,admin}', false),
  ('place', 11, 'offered', 'lapsed', '{system}', false),
  ('place', 12, 'offered', 'canceled', '{owner,admin,system}', false),
  ('place', 13, 'taken', 'canceled', '{owner,admin,system}', false),
  ('place', 14, 'canceled', 'held', '{owner}', false),
  ('place', 15, 'canceled', 'waiting', '{owner}', false),
  ('place', 16, 'lapsed', 'held', '{owner}', false),
  ('place', 17, 'lapsed', 'waiting', '{owner}', false);

create function private.may_step(p_entity text, p_from text, p_to text, p_who text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.transitions t
    where t.entity = p_entity and t.from_state = p_from and t.to_state = p_to and p_who = any (t.who)
  )
$$;
comment on function private.may_step(text, text, text, text) is
  'Whether a step exists and this kind of person can take it.';

create function private.check_transition() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_from text := case when tg_op = 'UPDATE' then to_jsonb(old) ->> tg_argv[1] end;
  v_to text := to_jsonb(new) ->> tg_argv[1];
begin
  if v_from is distinct from v_to and not exists (
    select from private.transitions t
    where t.entity = tg_argv[0] and t.from_state is not distinct from v_from and t.to_state = v_to
  ) then
    raise exception '%', case
      when v_from is null then format('A new %s can’t be %s.', tg_argv[0], v_to)
      else format('The %s can’t go from %s to %s.', tg_argv[0], v_from, v_to)
    end using errcode = '55000', hint = tg_argv[1];
  end if;
  return new;
end
$$;
comment on function private.check_transition() is
  'Trigger for tables with states: rejects (55000) a step that isn''t in private.transitions. Its arguments are the entity and the state''s column.';
