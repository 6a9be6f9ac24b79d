-- Blocks: people someone doesn't want to hear from.
--
-- Neither of the two can message the other anymore, and the blocked person isn't told who did it or
-- why. Coaching and support still work: there, a block only mutes.

create table public.blocks (
  user_id uuid not null references auth.users (id) on delete cascade,
  blocked_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
);
comment on table public.blocks is 'People someone has blocked; nobody else can see it.';
create index blocks_blocked_id_idx on public.blocks (blocked_id);

alter table public.blocks enable row level security;

create policy "People see whom they have blocked"
  on public.blocks for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.blocks to authenticated;

create function public.set_person_blocked(p_person_id uuid, p_blocked boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_silenced uuid[];
begin
  if p_person_id = v_user_id then
    raise exception 'You can’t block yourself.' using errcode = '22023', hint = 'person_id';
  end if;
  if coalesce(p_blocked, false) then
    -- Whom one has never met cannot be blocked, and nobody learns that way who has an account.
    if not exists (
      select from public.conversation_participants mine
      join public.conversation_participants theirs
        on theirs.conversation_id = mine.conversation_id
      where mine.user_id = v_user_id and theirs.user_id = p_person_id
    ) and not private.work_together(v_user_id, p_person_id) then
      raise exception 'We can’t find this person.' using errcode = 'P0002', hint = 'person_id';
    end if;
    insert into public.blocks (user_id, blocked_id) values (v_user_id, p_person_id)
    on conflict do nothing;
    if not found then
      return jsonb_build_object('blocked', true);
    end if;
    v_silenced := array(
      select c.id from public.conversations c
      join public.conversation_participants p on p.conversation_id = c.id
      join public.conversation_participants o on o.conversation_id = c.id
      where p.user_id = v_user_id and p.left_at is null and o.user_id = p_person_id
        and (c.kind = 'engagement' or c.about_user_id = v_user_id)
    );
    perform private.hold_conversations(v_silenced || array(
      select c.id from public.conversations c
      where c.direct_pair = private.pair_of(v_user_id, p_person_id)
    ));
    update public.conversation_participants p set muted = true
    where p.conversation_id = any (v_silenced) and p.user_id = v_user_id;
  else
    delete from public.blocks b where b.user_id = v_user_id and b.blocked_id = p_person_id;
    if not found then
      return jsonb_build_object('blocked', false);
    end if;
  end if;
  -- Whether the two may write has changed.
  perform private.renew_channel(c.id) from public.conversations c
  where c.direct_pair = private.pair_of(v_user_id, p_person_id);
  return jsonb_build_object('blocked', coalesce(p_blocked, false));
end
$$;
comment on function public.set_person_blocked(uuid, boolean) is
  'Blocks or unblocks someone the caller is in contact with; {blocked}. Conversations about coaching and with support are only muted.';

create function public.list_blocked() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return coalesce((
    select jsonb_agg(
      private.person_json(b.blocked_id) || jsonb_build_object('blocked_at', b.created_at)
      order by b.created_at desc, b.blocked_id
    )
    from public.blocks b where b.user_id = v_user_id
  ), '[]');
end
$$;
comment on function public.list_blocked() is
  'The people the caller has blocked, newest first: [{id, name, avatar_path, role, blocked_at}].';

grant execute on function public.set_person_blocked(uuid, boolean), public.list_blocked()
  to authenticated;
