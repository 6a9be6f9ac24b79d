-- Merging two businesses that are the same, and undoing it within 30 days. The rows of one move to
-- the other; what the other already has stays behind in the merged one, which is archived.

create function private.merge_parts() returns table (name text, key text, stays text)
language sql immutable set search_path = '' as $$
  values
    -- A person finishes the quiz they've begun in the business that's kept.
    ('attempts', 'id', $c$t.state = 'in_progress' and t.kind = 'full' and exists (
      select from public.attempts o
      where o.business_id = $2 and o.user_id = t.user_id and o.state = 'in_progress'
        and o.kind = 'full'
    )$c$),
    ('business_invitations', 'id', $c$t.ended is null and exists (
      select from public.business_invitations o
      where o.business_id = $2 and o.address = t.address and o.ended is null
    )$c$),
    -- With its history, by the foreign key.
    ('business_plan_fields', 'field', $c$exists (
      select from public.business_plan_fields o where o.business_id = $2 and o.field = t.field
    )$c$),
    ('business_snapshots', 'id', 'false'),
    -- With its history, too.
    ('business_worksheets', 'kind', $c$exists (
      select from public.business_worksheets o where o.business_id = $2 and o.kind = t.kind
    )$c$),
    ('engagements', 'id', 'false'),
    ('orders', 'id', 'false'),
    ('session_grants', 'id', 'false'),
    ('seats', 'id', $c$t.state = 'activated' and exists (
      select from public.seats o
      where o.business_id = $2 and o.program_id = t.program_id and o.state = 'activated'
    )$c$),
    -- With their tasks, files, updates and events, by the foreign keys.
    ('projects', 'id', 'false'),
    ('tool_copies', 'id', 'false')
$$;
comment on function private.merge_parts() is
  'Tables whose rows move when a business is merged, with the key of a row and the condition for a row t that stays ($2 is the business that''s kept).';

create function private.merge_blockers(p_from uuid, p_into uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select array(
    select 'A business can’t be merged with itself.' where p_from = p_into
    union all
    select format('%s was already merged into %s.', b.name, private.merged_into(b.id) ->> 'name')
    from public.businesses b
    where b.id in (p_from, p_into) and private.merged_into(b.id) is not null
    union all
    select format('%s is archived. Restore it first.', b.name)
    from public.businesses b
    where b.id = p_into and b.archived_at is not null and private.merged_into(b.id) is null
    union all
    select format(
      '%s has open coaching in both businesses. It has to end in one of them first.',
      coalesce(private.name_of(e.owner_id), 'A deleted account')
    )
    from public.engagements e
    join public.engagements o
      on o.owner_id = e.owner_id and o.business_id = p_into and o.closed_at is null
    where e.business_id = p_from and e.closed_at is null and p_from <> p_into
    union all
    select 'Together they have more than 100 members.'
    where 100 < (
      select count(distinct m.user_id) from public.business_members m
      where m.business_id in (p_from, p_into)
    )
  )
$$;
comment on function private.merge_blockers(uuid, uuid) is
  'Why one business can''t be merged into another, in words; empty if it can.';

create function private.merge_counts(p_from uuid, p_into uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_part record;
  v_moves bigint;
  v_stays bigint;
  v_counts jsonb := '[]';
begin
  for v_part in select * from private.merge_parts() loop
    execute format(
      'select count(*) filter (where not (%1$s)), count(*) filter (where %1$s)
      from public.%2$I t where t.business_id = $1',
      v_part.stays, v_part.name
    ) into v_moves, v_stays using p_from, p_into;
    v_counts := v_counts || jsonb_build_object(
      'name', v_part.name, 'moves', v_moves, 'stays', v_stays
    );
  end loop;
  return v_counts || (
    select jsonb_build_object(
      'name', 'business_members',
      'moves', count(*) filter (where o.user_id is null),
      'stays', count(*) filter (where o.user_id is not null)
    )
    from public.business_members m
    left join public.business_members o on o.user_id = m.user_id and o.business_id = p_into
    where m.business_id = p_from
  );
end
$$;
comment on function private.merge_counts(uuid, uuid) is
  'How many rows of each table a merge would move, and how many stay because the other has them: [{name, moves, stays}].';

create function public.admin_merge_preview(p_from uuid, p_into uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.businesses b where b.id = p_from)
    or not exists (select from public.businesses b where b.id = p_into)
  then
    return null;
  end if;
  perform private.audit(
    'business.compare', 'business', p_from::text, null, jsonb_build_object('business_id', p_into)
  );
  return jsonb_build_object(
    'parts', private.merge_counts(p_from, p_into),
    'blockers', private.merge_blockers(p_from, p_into)
  );
end
$$;
comment on function public.admin_merge_preview(uuid, uuid) is
  'What merging one business into another would do: {parts: [{name (a table), moves, stays}], blockers: why it can''t be done}; null if either doesn''t exist.';

-- Both businesses, so that nobody archives or merges one at the same time.
create function private.hold_businesses(p_one uuid, p_other uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.one_at_a_time('business', least(p_one, p_other));
  perform private.one_at_a_time('business', greatest(p_one, p_other));
  perform from public.engagements e
  where e.business_id in (p_one, p_other) order by e.id for update;
  perform from public.businesses b where b.id in (p_one, p_other) order by b.id for update;
end
$$;

create function private.settle_projects(p_ids jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_talks uuid[] := array(
    select c.id from public.conversations c
    where c.project_id in (select p::uuid from jsonb_array_elements_text(p_ids) p)
  );
begin
  perform private.hold_conversations(v_talks);
  perform private.settle_people(c) from unnest(v_talks) as c;
end
$$;
comment on function private.settle_projects(jsonb) is
  'Updates who takes part in the conversations about projects that moved to another business.';

create function private.tell_members(p_ids uuid[], p_subject text, p_text text, p_open uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.notify(
    m.user_id, 'account', 'merge:' || p_open || ':' || now(), p_subject, p_text,
    '/dashboard/businesses/' || p_open, 'Open the business'
  )
  from (
    select distinct n.user_id from public.business_members n where n.business_id = any (p_ids)
  ) m;
end
$$;

create function public.merge_businesses(p_from uuid, p_into uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_from public.businesses;
  v_into public.businesses;
  v_blockers text[];
  v_part record;
  v_keys jsonb;
  v_moved jsonb := '{}';
  v_id uuid := gen_random_uuid();
begin
  perform private.hold_businesses(p_from, p_into);
  select * into v_from from public.businesses b where b.id = p_from;
  select * into v_into from public.businesses b where b.id = p_into;
  if v_from.id is null or v_into.id is null then
    raise exception 'We can’t find this business.' using errcode = 'P0002', hint = 'id';
  end if;
  v_blockers := private.merge_blockers(p_from, p_into);
  if cardinality(v_blockers) > 0 then
    raise exception '%', v_blockers[1] using errcode = '55000';
  end if;

  perform set_config('trellis.merging', 'on', true);
  for v_part in select * from private.merge_parts() loop
    execute format(
      'with moved as (
        update public.%1$I t set business_id = $2 where t.business_id = $1 and not (%2$s)
        returning t.%3$I as key
      )
      select coalesce(jsonb_agg(m.key order by m.key), ''[]'') from moved m',
      v_part.name, v_part.stays, v_part.key
    ) into v_keys using p_from, p_into;
    v_moved := v_moved || jsonb_build_object(v_part.name, v_keys);
  end loop;
  -- They still belong to the merged one, whose page leads them on. The owner of the other stays its
  -- owner, if it has one.
  with added as (
    insert into public.business_members (business_id, user_id, role)
    select p_into, m.user_id, case when exists (
      select from public.business_members o where o.business_id = p_into and o.role = 'owner'
    ) then 'member' else m.role end
    from public.business_members m
    where m.business_id = p_from
    order by m.user_id
    on conflict (business_id, user_id) do nothing
    returning user_id
  )
  select coalesce(jsonb_agg(a.user_id order by a.user_id), '[]') into v_keys from added a;
  v_moved := v_moved || jsonb_build_object('business_members', v_keys);
  update public.businesses b set archived_at = now() where b.id = p_from and b.archived_at is null;
  perform set_config('trellis.merging', '', true);

  insert into public.business_merges (
    id, from_id, into_id, moved, archived_at, members, reason, merged_by
  ) values (
    v_id, p_from, p_into, v_moved, v_from.archived_at,
    (select count(*) from public.business_members m where m.business_id = p_from),
    v_reason, v_admin_id
  );
  perform private.settle_projects(v_moved -> 'projects');
  perform private.audit(
    'business.merge', 'business', p_from::text, v_reason,
    jsonb_build_object('business_id', p_into, 'merge_id', v_id)
  );
  perform private.tell_members(
    array[p_from, p_into], v_from.name || ' is now part of ' || v_into.name,
    'They turned out to be the same business, so their projects, results, figures and members are in one place now. If that’s wrong, write to us within 30 days.',
    p_into
  );
  return jsonb_build_object('id', v_id);
end
$$;
comment on function public.merge_businesses(uuid, uuid, text) is
  'An admin merges a business into another that it''s the same as, and archives it: {id} of the merge.';

create function private.came_by_merge(p_merge public.business_merges) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select u::uuid from jsonb_array_elements_text(p_merge.moved -> 'business_members') u
  union
  select i.accepted_by
  from jsonb_array_elements_text(p_merge.moved -> 'business_invitations') k
  join public.business_invitations i on i.id = k::uuid
  join public.business_members m
    on m.business_id = p_merge.into_id and m.user_id = i.accepted_by and m.joined_at = i.ended_at
  where i.ended = 'accepted'
$$;
comment on function private.came_by_merge(public.business_merges) is
  'Who belongs to the business that''s kept only by a merge: members of the merged one, and people who have accepted its invitations since.';

create function private.undo_blocker(p_merge public.business_merges) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when p_merge.undone_at is not null then 'This merge was already undone.'
    when p_merge.merged_at < now() - interval '30 days'
      then 'A merge can be undone for 30 days, and this one is older.'
    when private.merged_into(p_merge.into_id) is not null then format(
      '%s was merged into %s since then. Undo that first.',
      (select b.name from public.businesses b where b.id = p_merge.into_id),
      private.merged_into(p_merge.into_id) ->> 'name'
    )
    when p_merge.members > 0 and not exists (
      select from public.business_members m where m.business_id = p_merge.from_id
    ) then 'Nobody belongs to the merged business anymore.'
    else (
      select format(
        '%s owns the other business now. They have to hand it over first.',
        coalesce(private.name_of(m.user_id), 'One of its members')
      )
      from public.business_members m
      where m.business_id = p_merge.into_id and m.role = 'owner'
        and m.user_id in (select private.came_by_merge(p_merge))
        and exists (
          select from public.business_members o
          where o.business_id = p_merge.into_id
            and o.user_id not in (select private.came_by_merge(p_merge))
        )
      limit 1
    )
  end
$$;
comment on function private.undo_blocker(public.business_merges) is
  'Why a merge can''t be undone, in words; null if it can.';

create function public.undo_merge(p_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_merge public.business_merges;
  v_blocker text;
  v_part record;
  v_came uuid[];
  v_left uuid[];
begin
  select * into v_merge from public.business_merges g where g.id = p_id;
  if not found then
    raise exception 'We can’t find this merge.' using errcode = 'P0002', hint = 'id';
  end if;
  perform private.hold_businesses(v_merge.from_id, v_merge.into_id);
  select * into v_merge from public.business_merges g where g.id = p_id for update;
  v_blocker := private.undo_blocker(v_merge);
  if v_blocker is not null then
    raise exception '%', v_blocker using errcode = '55000';
  end if;

  -- Those who came with it leave, with coaching that they asked for since. Who accepted one of its
  -- invitations in the meantime belongs to it now.
  v_came := array(select u from private.came_by_merge(v_merge) u order by u);
  perform set_config('trellis.merging', 'on', true);
  for v_part in select * from private.merge_parts() loop
    execute format(
      'update public.%1$I t set business_id = $1
      where t.business_id = $2 and t.%2$I::text in (select jsonb_array_elements_text($3))',
      v_part.name, v_part.key
    ) using v_merge.from_id, v_merge.into_id, v_merge.moved -> v_part.name;
  end loop;
  with gone as (
    delete from public.business_members m
    where m.business_id = v_merge.into_id and m.user_id = any (v_came)
    returning m.user_id, m.role, m.joined_at
  )
  select coalesce(array_agg(g.user_id order by g.role desc, g.joined_at, g.user_id), '{}')
  into v_left from gone g;
  insert into public.business_members (business_id, user_id, role)
  select v_merge.from_id, u, case when v_merge.members = 0 and n = 1 then 'owner' else 'member' end
  from unnest(v_left) with ordinality as l (u, n)
  where not v_merge.moved -> 'business_members' ? u::text
  on conflict (business_id, user_id) do nothing;
  -- Coaching that a project was linked to while both were one isn't its business's anymore, and its
  -- coach leaves the project's conversation.
  update public.projects p set engagement_id = null
  from public.engagements e
  where e.id = p.engagement_id and p.business_id in (v_merge.from_id, v_merge.into_id)
    and e.business_id <> p.business_id;
  update public.businesses b set archived_at = v_merge.archived_at where b.id = v_merge.from_id;
  perform set_config('trellis.merging', '', true);
  perform private.withdraw_coaching(v_merge.into_id, u, 'No longer a member.')
  from unnest(v_left) as u
  where exists (
    select from public.engagements e
    where e.business_id = v_merge.into_id and e.owner_id = u and e.closed_at is null
  );

  update public.business_merges g set undone_at = now(), undone_by = v_admin_id where g.id = p_id;
  perform private.settle_projects(v_merge.moved -> 'projects');
  perform private.audit(
    'business.unmerge', 'business', v_merge.from_id::text, v_reason,
    jsonb_build_object('business_id', v_merge.into_id, 'merge_id', p_id)
  );
  perform private.tell_members(
    array[v_merge.from_id], b.name || ' is a business of its own again',
    'We had merged it with another one by mistake. Everything that came from it is back where it was.',
    b.id
  )
  from public.businesses b where b.id = v_merge.from_id;
  return jsonb_build_object('id', v_merge.from_id);
end
$$;
comment on function public.undo_merge(uuid, text) is
  'An admin undoes a merge of the last 30 days: exactly the rows that moved go back; {id} of the business that was merged.';

create function private.merges_json(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', g.id, 'reason', g.reason, 'merged_at', g.merged_at, 'undone_at', g.undone_at,
    'by', private.name_of(g.merged_by),
    'undo_until', g.merged_at + interval '30 days',
    'blocker', private.undo_blocker(g),
    'from', (select jsonb_build_object('id', b.id, 'name', b.name) from public.businesses b where b.id = g.from_id),
    'into', (select jsonb_build_object('id', b.id, 'name', b.name) from public.businesses b where b.id = g.into_id)
  ) order by g.merged_at desc, g.id), '[]')
  from public.business_merges g
  where p_business_id in (g.from_id, g.into_id)
$$;
comment on function private.merges_json(uuid) is
  'Merges of a business, newest first; blocker says why one can''t be undone.';

grant execute on function
  public.admin_merge_preview(uuid, uuid), public.merge_businesses(uuid, uuid, text),
  public.undo_merge(uuid, text)
to authenticated;
