-- Reports: a participant asks the admins to look at a message, which lets them read the thread.
--
--   open → settled (dismissed, or the message was removed)
--
-- Admins can't read conversations they're not part of in any other way, and the audit log records
-- each time they do.

create table public.message_reports (
  id uuid primary key,
  -- Null once the message is deleted along with its conversation.
  message_id uuid references public.messages (id) on delete set null,
  conversation_id uuid references public.conversations (id) on delete set null,
  reporter_id uuid references auth.users (id) on delete set null,
  author_id uuid references auth.users (id) on delete set null,
  reason text not null check (reason in ('spam', 'abuse', 'other')),
  note text check (char_length(note) <= 1000),
  -- The message's text when it was reported, because its author can change or remove it.
  said text not null,
  state text not null default 'open' check (state in ('open', 'settled')),
  outcome text check (outcome in ('dismissed', 'removed')),
  settled_by uuid references auth.users (id) on delete set null,
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  unique (message_id, reporter_id),
  check ((state = 'settled') = (outcome is not null)),
  check ((state = 'settled') = (settled_at is not null))
);
comment on table public.message_reports is
  'Messages that participants reported to the admins. No API role reads or writes it.';
create index message_reports_conversation_id_idx on public.message_reports (conversation_id);
create index message_reports_reporter_id_idx on public.message_reports (reporter_id);
create index message_reports_author_id_idx on public.message_reports (author_id);
create index message_reports_settled_by_idx on public.message_reports (settled_by);
create index message_reports_state_idx on public.message_reports (state, created_at desc, id desc);

alter table public.message_reports enable row level security;

-- Reporting -------------------------------------------------------------------------------------

create function public.report_message(p_id uuid, p_message_id uuid, p_reason text, p_note text default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_message public.messages;
  v_found public.message_reports;
begin
  if p_id is null then
    raise exception 'A report needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.one_at_a_time('message_reports', v_user_id);
  select m.* into v_message from public.messages m
  join public.conversation_participants p on p.conversation_id = m.conversation_id
  where m.id = p_message_id and p.user_id = v_user_id and p.left_at is null and p.from_seq <= m.seq;
  if not found then
    raise exception 'We can’t find this message.' using errcode = 'P0002';
  end if;
  select * into v_found from public.message_reports r
  where r.id = p_id or (r.message_id = p_message_id and r.reporter_id = v_user_id);
  if found then
    if v_found.reporter_id is distinct from v_user_id
      or v_found.message_id is distinct from p_message_id
    then
      raise exception 'This report already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'state', v_found.state);
  end if;
  if v_message.author_id is not distinct from v_user_id then
    raise exception 'This is your own message. You can delete it.' using errcode = '55000';
  end if;
  if v_message.removed_at is not null then
    raise exception 'This message has already been deleted.' using errcode = '55000';
  end if;
  if p_reason is null or p_reason not in ('spam', 'abuse', 'other') then
    raise exception 'Tell us what’s wrong with it.' using errcode = '22023', hint = 'reason';
  end if;
  if char_length(btrim(p_note)) > 1000 then
    raise exception 'Keep it to 1,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  insert into public.message_reports (
    id, message_id, conversation_id, reporter_id, author_id, reason, note, said
  ) values (
    p_id, p_message_id, v_message.conversation_id, v_user_id, v_message.author_id, p_reason,
    nullif(btrim(p_note), ''), v_message.body
  );
  -- The admins hear of it once an hour at most, however much comes in.
  if private.take_rate_limit('reports_mailed', 1, interval '1 hour') then
    perform private.notify_admins(
      'support', 'report:' || p_id, 'A message was reported',
      E'Someone in a conversation asked you to look at a message. We keep a record of who reads it.\nWe won’t tell you about other reports within the next hour.',
      '/admin/messages', 'Open the reports'
    );
  end if;
  return jsonb_build_object('id', p_id, 'state', 'open');
end
$$;
comment on function public.report_message(uuid, uuid, text, text) is
  'A reader reports a message (spam, abuse, other) to the admins, who can then read the conversation; {id, state}. One report per reader and message.';
grant execute on function public.report_message(uuid, uuid, text, text) to authenticated;

-- How admins handle reports ---------------------------------------------------------------------

create function private.report_json(p_report public.message_reports) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_report.id, 'state', p_report.state, 'outcome', p_report.outcome,
    'reason', p_report.reason, 'note', p_report.note, 'created_at', p_report.created_at,
    'settled_at', p_report.settled_at, 'settled_by', private.name_of(p_report.settled_by),
    'message_id', p_report.message_id, 'conversation_id', p_report.conversation_id,
    'kind', (select c.kind from public.conversations c where c.id = p_report.conversation_id),
    'reporter', private.person_json(p_report.reporter_id),
    'author', private.person_json(p_report.author_id)
  );
end
$$;

create function public.admin_message_reports(
  p_state text default 'open', p_before timestamptz default null, p_before_id uuid default null,
  p_limit int default 30
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_limit int := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_ids uuid[];
begin
  perform private.require_admin();
  perform private.audit(
    'message_report.list', 'message_report', null, null, jsonb_build_object('state', p_state)
  );
  v_ids := array(
    select r.id from public.message_reports r
    where r.state = coalesce(p_state, 'open') and (r.created_at, r.id) < (
      coalesce(p_before, 'infinity'),
      coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    )
    order by r.created_at desc, r.id desc limit v_limit + 1
  );
  return jsonb_build_object(
    'reports', coalesce((
      select jsonb_agg(private.report_json(r) order by n.place)
      from unnest(v_ids[:v_limit]) with ordinality as n (id, place)
      join public.message_reports r on r.id = n.id
    ), '[]'),
    'more', cardinality(v_ids) > v_limit,
    'open', (
      select count(*) from (
        select from public.message_reports o where o.state = 'open' limit 100
      ) o
    )
  );
end
$$;
comment on function public.admin_message_reports(text, timestamptz, uuid, int) is
  'For admins: who reported which author and why, "open" or "settled", newest first, without the text; {reports, more, open (100 means 100 or more)}. The next page starts after the last one''s created_at and id.';

create function public.get_reported_conversation(p_report_id uuid, p_before bigint default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_report public.message_reports;
  v_conversation public.conversations;
  v_part public.conversation_participants;
  v_seq bigint;
  v_to bigint;
begin
  perform private.require_admin();
  select * into v_report from public.message_reports r where r.id = p_report_id;
  if not found then
    raise exception 'We can’t find this report.' using errcode = 'P0002';
  end if;
  perform private.audit(
    'message_report.read', 'message_report', p_report_id::text, null,
    jsonb_build_object('conversation_id', v_report.conversation_id)
  );
  select * into v_conversation from public.conversations c where c.id = v_report.conversation_id;
  -- What its reporter could show of it: not what was said before they came.
  select * into v_part from public.conversation_participants p
  where p.conversation_id = v_report.conversation_id and p.user_id = v_report.reporter_id;
  select m.seq into v_seq from public.messages m where m.id = v_report.message_id;
  v_part.conversation_id := v_report.conversation_id;
  v_part.from_seq := coalesce(v_part.from_seq, v_seq);
  -- Nor what was said after they left, or after the report was settled.
  v_to := least(coalesce(p_before - 1, v_seq + 20), (
    select max(m.seq) from public.messages m
    where m.conversation_id = v_report.conversation_id
      and (m.sent_at <= least(v_part.left_at, v_report.settled_at)) is not false
  ));
  return jsonb_build_object(
    'report', private.report_json(v_report) || jsonb_build_object('said', v_report.said),
    'people', coalesce((
      select jsonb_agg(
        private.person_json(p.user_id) || jsonb_build_object('left', p.left_at is not null)
        order by p.joined_at, p.user_id
      )
      from public.conversation_participants p where p.conversation_id = v_conversation.id
    ), '[]'),
    'messages', private.messages_json(v_part, v_to - 49, v_to),
    'more', v_to - 49 > v_part.from_seq
  );
end
$$;
comment on function public.get_reported_conversation(uuid, bigint) is
  'For admins, with an audit log row each time: fifty messages around the reported one, or before a seq; {report (with said), people, messages, more}.';

create function public.settle_message_report(p_report_id uuid, p_outcome text, p_reason text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_report public.message_reports;
  v_message public.messages;
begin
  if p_outcome is null or p_outcome not in ('dismissed', 'removed') then
    raise exception 'Dismiss the report, or remove the message.'
      using errcode = '22023', hint = 'outcome';
  end if;
  select * into v_report from public.message_reports r where r.id = p_report_id;
  if not found then
    raise exception 'We can’t find this report.' using errcode = 'P0002';
  end if;
  -- The conversation before the report, like everyone who changes a message.
  perform from public.conversations c where c.id = v_report.conversation_id for update;
  select * into v_report from public.message_reports r where r.id = p_report_id for update;
  if v_report.state = 'settled' then
    if v_report.outcome <> p_outcome then
      raise exception 'This report has already been resolved.' using errcode = '55000';
    end if;
    return private.report_json(v_report);
  end if;
  if p_outcome = 'dismissed' and v_report.author_id = v_admin_id
    and not private.is_last_admin(v_admin_id)
  then
    raise exception 'You wrote this message, so another admin has to decide.'
      using errcode = '42501';
  end if;
  if p_outcome = 'removed' then
    select * into v_message from public.messages m where m.id = v_report.message_id;
    if v_message.id is not null and v_message.removed_at is null then
      v_message := private.change_message(v_report.message_id, null);
      perform private.notify(
        v_report.author_id, 'support', 'message_removed:' || v_report.message_id,
        'We removed one of your messages',
        'Someone in the conversation reported it, and we agreed that it doesn’t belong there.',
        '/dashboard/messages', 'Your messages'
      );
    end if;
  end if;
  update public.message_reports r set
    state = 'settled', outcome = p_outcome, settled_by = v_admin_id, settled_at = now()
  where r.id = p_report_id
  returning * into v_report;
  perform private.audit(
    'message_report.settle', 'message_report', p_report_id::text, v_reason,
    jsonb_build_object('outcome', p_outcome, 'message_id', v_report.message_id)
  );
  perform private.notify(
    v_report.reporter_id, 'support', 'report_settled:' || p_report_id,
    'We looked at the message you reported',
    case p_outcome when 'removed' then 'We removed it. Thank you for telling us.'
      else 'We didn’t remove it. You can block the person who wrote it, or mute the conversation.' end,
    '/dashboard/messages', 'Your messages'
  );
  return private.report_json(v_report);
end
$$;
comment on function public.settle_message_report(uuid, text, text) is
  'An admin dismisses a report or removes the message, with a reason for the audit log; the reporter is notified. Nobody can dismiss a report about their own message while there''s another admin.';

grant execute on function
  public.admin_message_reports(text, timestamptz, uuid, int),
  public.get_reported_conversation(uuid, bigint), public.settle_message_report(uuid, text, text)
  to authenticated;

create function private.delete_old_message_reports() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.message_reports where settled_at < now() - interval '180 days' returning 1
  )
  select count(*) from gone
$$;
insert into private.jobs (kind, every) values ('delete_old_message_reports', interval '1 day');
