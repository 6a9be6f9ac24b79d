-- Private notes: what a coach writes down about a session for nobody but themselves. They are in a
-- table of their own, so that nothing that reads sessions can read them: no list, search, export of
-- anyone else, live channel or handover. An admin reads one with a reason, which is recorded.

create table public.session_notes (
  session_id uuid primary key references public.coaching_sessions (id) on delete cascade,
  -- They go with their author, because nobody else could read them.
  author_id uuid not null references auth.users (id) on delete cascade,
  body text not null check (char_length(body) between 1 and 10000),
  updated_at timestamptz not null default now()
);
comment on table public.session_notes is
  'A coach''s private notes about sessions. Only the author reads them, while they run the engagement.';

create index session_notes_author_id_idx on public.session_notes (author_id);

alter table public.session_notes enable row level security;
create policy "Coaches read their own notes about sessions with their clients"
  on public.session_notes for select to authenticated
  using (
    (select private.session_ok())
    and author_id = (select auth.uid())
    and session_id = any (array(
      select s.id from public.coaching_sessions s where s.coach_id = (select auth.uid())
    ))
    and (select private.is_coach())
  );
grant select on public.session_notes to authenticated;

create function private.keep_note(p_session_id uuid, p_author_id uuid, p_body text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_body text := private.clean_text(p_body, 10000, 'note');
begin
  if v_body is null then
    delete from public.session_notes n where n.session_id = p_session_id;
    return;
  end if;
  insert into public.session_notes as n (session_id, author_id, body)
  values (p_session_id, p_author_id, v_body)
  on conflict (session_id) do update set body = excluded.body, updated_at = now()
  where n.body <> excluded.body;
end
$$;
comment on function private.keep_note(uuid, uuid, text) is
  'Saves the private note about a session; nothing removes it.';

create function public.save_session_note(p_session_id uuid, p_body text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_session_id, '{coach}');
begin
  perform private.require_running(v_session.engagement_id);
  perform private.keep_note(v_session.id, v_user_id, p_body);
  return jsonb_build_object('id', p_session_id);
end
$$;
comment on function public.save_session_note(uuid, text) is
  'A coach saves their private note about a session, or removes it with an empty text, as long as they can read it; {id}.';
grant execute on function public.save_session_note(uuid, text) to authenticated;

create function public.admin_read_session_note(p_session_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_engagement_id uuid;
  v_note public.session_notes;
begin
  select s.engagement_id into v_engagement_id
  from public.coaching_sessions s where s.id = p_session_id;
  if not found then
    raise exception 'We can’t find this session.' using errcode = 'P0002', hint = 'session_id';
  end if;
  select * into v_note from public.session_notes n where n.session_id = p_session_id;
  perform private.audit(
    'session_note.read', 'session', p_session_id::text, v_reason,
    jsonb_build_object('engagement_id', v_engagement_id, 'author_id', v_note.author_id)
  );
  return jsonb_build_object(
    'session_id', p_session_id, 'body', v_note.body, 'author_name', private.name_of(v_note.author_id),
    'updated_at', v_note.updated_at
  );
end
$$;
comment on function public.admin_read_session_note(uuid, text) is
  'An admin reads a coach''s private note about a session, with a reason that''s recorded: {session_id, body, author_name, updated_at}, null where there''s no note.';
grant execute on function public.admin_read_session_note(uuid, text) to authenticated;

-- Deleting accounts -----------------------------------------------------------------------------

create function private.forget_coaching_of(p_owner_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_ids uuid[] := array(select e.id from public.engagements e where e.owner_id = p_owner_id);
begin
  update public.engagements e set note = null, closing_summary = null, referral = null
  where e.id = any (v_ids)
    and (e.note is not null or e.closing_summary is not null or e.referral is not null);
  delete from public.handovers h where h.engagement_id = any (v_ids);
  update public.contact_attempts c set note = null where c.engagement_id = any (v_ids) and c.note is not null;
  delete from public.session_notes n using public.coaching_sessions s
  where s.id = n.session_id and s.engagement_id = any (v_ids);
  delete from public.coach_recommendations r where r.engagement_id = any (v_ids);
  delete from public.coaching_actions a where a.engagement_id = any (v_ids);
  delete from public.session_offers o where o.engagement_id = any (v_ids);
  update public.coaching_sessions s set summary = null, place = null, cancel_reason = null, topics = '{}'
  where s.engagement_id = any (v_ids);
end
$$;
comment on function private.forget_coaching_of(uuid) is
  'Removes what was written about an owner whose account is deleted, private notes included. What''s left says only when sessions took place.';
