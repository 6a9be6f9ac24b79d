-- Results of surveys, for admins. They read batches (coaching/survey_batches.sql), never responses.

create function private.survey_batch_ids(p_survey_id uuid, p_filter jsonb) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array(
    select b.id from private.survey_batches b
    where b.survey_id = p_survey_id
      and (nullif(p_filter ->> 'link', '') is null or b.invited = (p_filter ->> 'link' = 'personal'))
      and (nullif(p_filter ->> 'quarter', '') is null or b.quarter::text = p_filter ->> 'quarter')
      and (nullif(p_filter ->> 'group', '') is null or b.grouped = p_filter ->> 'group')
  )
$$;
comment on function private.survey_batch_ids(uuid, jsonb) is
  'The batches of a survey whose answers all match {link ("personal", "public"), quarter (its first day), group}.';

create function private.survey_figures(p_batches uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  with asked as materialized (select * from private.survey_counts(p_batches))
  select private.survey_totals(p_batches) || jsonb_build_object(
    'statements', (
      select jsonb_agg(
        case when a.question is not null then
          private.survey_scale(a.counts[:6], 1) || jsonb_build_object(
            'favorable', 100 * (a.counts[5] + a.counts[6])::numeric / a.answers
          )
        end order by q.question
      )
      from generate_series(1, 10) as q (question)
      left join asked a on a.question = q.question
    ),
    'recommend', (
      select private.survey_scale(a.counts, 0) from asked a where a.question = 11
    ),
    'comments', (
      select jsonb_agg((
        select jsonb_agg(w.text order by b.id, w.place)
        from private.survey_batches b cross join unnest(b.words) with ordinality as w (text, place)
        where b.id = any (p_batches) and b.question = q.question
      ) order by q.question)
      from generate_series(12, 13) as q (question)
    )
  )
$$;
comment on function private.survey_figures(uuid[]) is
  'What batches say: survey_totals and {statements: [{answers, favorable (percent), mean, counts (of 1 to 5)}], recommend: {answers, mean, counts (of 0 to 10)}, comments: [[text]]}, each null without at least five answers.';

create function private.survey_group_name(p_grouped_by text, p_key text) returns text
language sql stable security definer set search_path = '' as $$
  select case p_grouped_by
    when 'area' then (select a.name from public.skill_areas a where a.key = p_key)
    when 'coach' then coalesce(private.name_of(private.uuid_of(p_key)), 'A former coach')
    when 'program' then (select p.name from public.programs p where p.id = private.uuid_of(p_key))
    else p_key
  end
$$;
comment on function private.survey_group_name(text, text) is 'A group''s name as admins read it.';

create function private.survey_cut(
  p_survey_id uuid, p_filter jsonb, p_key text, p_grouped_by text
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'value', v.value,
      'label', case when p_key = 'group' then private.survey_group_name(p_grouped_by, v.value) end
    ) || private.survey_totals(private.survey_batch_ids(
      p_survey_id, p_filter || jsonb_build_object(p_key, v.value)
    ))
    order by v.value
  ), '[]')
  from (
    select distinct case p_key
      when 'quarter' then b.quarter::text
      when 'link' then case when b.invited then 'personal' else 'public' end
      else b.grouped
    end as value
    from private.survey_batches b where b.survey_id = p_survey_id and b.question = 0
  ) v
  where v.value is not null
$$;
comment on function private.survey_cut(uuid, jsonb, text, text) is
  'survey_totals for each quarter, link or group that has results, within the rest of the filter: [{value, label (of a group), …}].';

create function private.survey_invitation_counts(p_survey_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'sent', count(*),
    'answered', count(*) filter (where i.answered),
    'expired', count(*) filter (where not i.answered and i.expires_at <= now()),
    'reminded', count(*) filter (where i.reminded)
  )
  from public.survey_invitations i where i.survey_id = p_survey_id
$$;
comment on function private.survey_invitation_counts(uuid) is
  'Personal links in numbers: {sent, answered, expired (unanswered), reminded}.';

create function public.admin_survey_results(p_filter jsonb default '{}') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_survey public.surveys;
begin
  perform private.require_admin();
  select s.* into v_survey from public.surveys s
  where nullif(p_filter ->> 'survey', '') is null or s.id = private.uuid_of(p_filter ->> 'survey')
  order by s.state = 'open' desc, s.opened_at desc limit 1;
  perform private.audit('survey_results.read', 'survey', v_survey.id::text, null, p_filter);
  perform private.batch_survey(v_survey.id) where v_survey.id is not null;
  return jsonb_build_object(
    'surveys', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', s.id, 'title', s.title, 'state', s.state,
          'opened_at', s.opened_at, 'closed_at', s.closed_at
        ) order by s.state = 'open' desc, s.opened_at desc
      ), '[]')
      from (select * from public.surveys s order by s.opened_at desc limit 100) s
    ),
    'survey', case when v_survey.id is not null then jsonb_build_object(
      'id', v_survey.id, 'title', v_survey.title, 'state', v_survey.state,
      'opened_at', v_survey.opened_at, 'closed_at', v_survey.closed_at,
      'privacy', v_survey.privacy, 'public_link', v_survey.public_link,
      'grouped_by', v_survey.grouped_by, 'statements', v_survey.statements,
      'recommend', v_survey.recommend, 'comments', v_survey.comments,
      'invitations', private.survey_invitation_counts(v_survey.id),
      'figures', private.survey_figures(private.survey_batch_ids(v_survey.id, p_filter)),
      'quarters', private.survey_cut(v_survey.id, p_filter, 'quarter', null),
      'links', private.survey_cut(v_survey.id, p_filter, 'link', null),
      'groups', private.survey_cut(v_survey.id, p_filter, 'group', v_survey.grouped_by)
    ) end
  );
end
$$;
comment on function public.admin_survey_results(jsonb) is
  'What a survey (the open one if not said, else the newest) found: {surveys, survey: {…, invitations, figures (see survey_figures, of the answers that match {quarter, link, group}), quarters, links, groups (see survey_cut)}}. Publishes what can be published. Writes an audit row.';

-- Opening and closing ---------------------------------------------------------------------------

create function private.close_open_survey() returns uuid
language sql volatile security definer set search_path = '' as $$
  update public.surveys s set state = 'closed', closed_at = now() where s.state = 'open'
  returning s.id
$$;
comment on function private.close_open_survey() is 'Closes the open survey; its id, or null.';

create function public.close_survey(p_survey_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reason text;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  perform private.one_at_a_time('surveys', p_survey_id);
  if not exists (select from public.surveys s where s.id = p_survey_id) then
    raise exception 'We can’t find this survey.' using errcode = 'P0002', hint = 'id';
  end if;
  if not exists (
    select from public.surveys s where s.id = p_survey_id and s.state = 'open' for update
  ) then
    raise exception 'This survey is already closed.' using errcode = '55000';
  end if;
  perform private.close_open_survey();
  perform private.audit('survey.close', 'survey', p_survey_id::text, v_reason);
  return jsonb_build_object('id', p_survey_id);
end
$$;
comment on function public.close_survey(uuid, text) is
  'An admin closes the open survey, with a reason; {id}. Nobody can answer it anymore, and what waits for its quarter to end is published.';

create function public.open_survey(
  p_id uuid, p_privacy text, p_public_link boolean, p_grouped_by text, p_reason text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reason text;
  v_text public.surveys;
  v_closed uuid;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  perform private.one_at_a_time('surveys', p_id);
  if exists (select from public.surveys s where s.id = p_id) then
    return jsonb_build_object('id', p_id);
  end if;
  if p_privacy is null or p_privacy not in ('anonymous', 'confidential') or p_public_link is null then
    raise exception 'Say who reads the answers and who can give them.'
      using errcode = '22023', hint = 'privacy';
  end if;
  if p_grouped_by is not null
    and (p_privacy <> 'confidential' or p_grouped_by not in ('area', 'coach', 'industry', 'program'))
  then
    raise exception 'Only confidential answers can be grouped, by area, coach, industry or program.'
      using errcode = '22023', hint = 'grouped_by';
  end if;
  select * into v_text from public.surveys s order by s.opened_at desc limit 1;
  if not found then
    raise exception 'There’s no text for a survey yet.' using errcode = '55000';
  end if;
  v_closed := private.close_open_survey();
  insert into public.surveys (
    id, title, privacy, statements, recommend, comments, public_link, grouped_by
  ) values (
    p_id, v_text.title, p_privacy, v_text.statements, v_text.recommend, v_text.comments,
    p_public_link, p_grouped_by
  );
  perform private.audit('survey.open', 'survey', p_id::text, v_reason, jsonb_strip_nulls(
    jsonb_build_object(
      'privacy', p_privacy, 'public_link', p_public_link, 'grouped_by', p_grouped_by,
      'closed', v_closed
    )
  ));
  return jsonb_build_object('id', p_id);
end
$$;
comment on function public.open_survey(uuid, text, boolean, text, text) is
  'An admin opens a survey under an id of their choice, with the words of the newest one: anonymous or confidential, with or without a public link, grouped (if confidential) by area, coach, industry, program or nothing, and with a reason; {id}. Closes the one that was open.';

grant execute on function
  public.admin_survey_results(jsonb), public.close_survey(uuid, text),
  public.open_survey(uuid, text, boolean, text, text)
to authenticated;
