-- Steps from state to state are rows of one table, which triggers enforce; what is open has no time of closing.
SET local check_function_bodies = off;

DROP TRIGGER "attempts_keep_to_their_states" ON "public"."attempts";

DROP TRIGGER "engagements_keep_to_their_states" ON "public"."engagements";

DROP TRIGGER "projects_keep_to_their_states" ON "public"."projects";

DROP INDEX "public"."engagements_one_open_idx";

DROP FUNCTION "private"."project_note_needed"(text, text);

DROP FUNCTION "private"."project_step_allowed"(text, text);

CREATE TABLE "private"."transitions" (
  "entity"     text     NOT NULL,
  "position"   smallint NOT NULL,
  "from_state" text,
  "to_state"   text     NOT NULL,
  "who"        text[]   NOT NULL,
  "needs_note" boolean  NOT NULL DEFAULT false,
  CONSTRAINT "transitions_entity_from_state_to_state_key" UNIQUE NULLS NOT DISTINCT (entity, from_state, to_state),
  CONSTRAINT "transitions_pkey" PRIMARY KEY (entity, "position"),
  CONSTRAINT "transitions_who_check" CHECK (((who <@ ARRAY['owner'::text, 'member'::text, 'admin'::text, 'system'::text]) AND (cardinality(who) > 0)))
);

ALTER TABLE "private"."transitions"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.check_transition()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_from text := case when tg_op = 'UPDATE' then to_jsonb(old) ->> tg_argv[1] end;
  v_to text := to_jsonb(new) ->> tg_argv[1];
begin
  if v_from is distinct from v_to and not exists (
    select from private.transitions t
    where t.entity = tg_argv[0] and t.from_state is not distinct from v_from and t.to_state = v_to
  ) then
    raise exception '%', case
      when v_from is null then format('A new %s cannot be %s.', tg_argv[0], v_to)
      else format('The %s cannot go from %s to %s.', tg_argv[0], v_from, v_to)
    end using errcode = '55000', hint = tg_argv[1];
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.coach_of (
  p_engagement_id uuid
)
  RETURNS uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select e.coach_id from public.engagements e
  where e.id = p_engagement_id and private.coaches(e.coach_id, e.owner_id)
    and e.closed_at is null
$function$;

CREATE OR REPLACE FUNCTION private.coaches (
  p_coach_id uuid,
  p_owner_id uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.engagements e
    where e.owner_id = p_owner_id and e.coach_id = p_coach_id
      and e.closed_at is null
  ) and private.role_of(p_coach_id) = 'coach'
$function$;

CREATE OR REPLACE FUNCTION private.coaching_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', e.id, 'state', e.state, 'results_shared', e.results_shared,
    'coach_name', (select nullif(p.full_name, '') from public.profiles p where p.user_id = e.coach_id)
  )
  from public.engagements e
  where e.owner_id = (select auth.uid()) and e.business_id = p_business_id
    and e.closed_at is null
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.delete_account (
  p_user_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_email text;
  v_name text := coalesce(private.name_of(p_user_id), 'Somebody you worked with');
  v_business record;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;

  -- In the order in which everyone takes them (see private.hold_coach).
  perform from public.engagements e where p_user_id in (e.owner_id, e.coach_id) order by e.id for update;
  perform private.one_at_a_time('coach', p_user_id);

  -- People whom it concerns hear of it, in words that do not depend on who they are to each other.
  perform private.notify_person(
    c.person_id, v_name || ' has deleted their account',
    case when c.coached then 'They were your coach. Your coaching stays open, and we are looking for somebody else for you.'
      else 'You were their coach. The engagement has ended.' end,
    'You get this mail because you worked together.', 'Your coaching', '/dashboard/coaching'
  )
  from (
    select distinct case when e.coach_id = p_user_id then e.owner_id else e.coach_id end as person_id,
      e.coach_id = p_user_id as coached
    from public.engagements e
    where p_user_id in (e.owner_id, e.coach_id)
      and e.closed_at is null
  ) c
  where c.person_id is not null;

  for v_business in select * from private.heirs(p_user_id) loop
    perform private.one_at_a_time('business', v_business.business_id);
    perform private.withdraw_coaching(
      v_business.business_id, p_user_id, 'The account of the owner was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify_person(
        m.user_id, 'You are now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You decide who belongs to the business, and whether it is archived.',
        'You get this mail because you belong to the business.',
        'Open the business', '/dashboard/businesses/' || v_business.business_id
      )
      from public.business_members m
      where m.business_id = v_business.business_id and m.role = 'owner';
    end if;
  end loop;

  perform set_config('trellis.reason', 'The account was deleted.', true);
  update public.engagements e set note = null where e.owner_id = p_user_id and e.note is not null;
  update public.engagements e set coach_id = null
  where e.coach_id = p_user_id and e.closed_at is null;
  perform set_config('trellis.reason', '', true);

  insert into public.file_removals (bucket_id, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'avatars' and starts_with(o.name, p_user_id::text || '/')
  on conflict do nothing;

  delete from public.business_invitations i where i.address = lower(v_email);
  delete from public.contacts c where c.email = lower(v_email);
  delete from public.mail_outbox o where lower(o.to_address) = lower(v_email);
  delete from public.rate_limits r using private.write_limits l
  where r.key = private.write_key(l.kind, p_user_id);
  insert into public.mail_outbox (to_address, template, data) values (
    v_email, 'notice', jsonb_build_object(
      'subject', 'Your account has been deleted', 'heading', 'Your account has been deleted',
      'paragraphs', jsonb_build_array('As you asked 30 days ago. This is the last mail, and your address is forgotten once it is sent and 30 days have passed.'),
      'why', 'You get this mail because this address had an account.'
    )
  );
  perform private.audit('account.delete', 'user', p_user_id::text);
  -- Everything that is theirs alone goes with the row; the rest loses its name.
  delete from auth.users u where u.id = p_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_attempt()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'DELETE' then
    raise exception 'An attempt is never removed.' using errcode = '55000';
  end if;

  if tg_op = 'INSERT' then
    if exists (
      select from public.quiz_versions v where v.id = new.version_id and v.state = 'draft'
    ) then
      raise exception 'A draft of the quiz cannot be taken.' using errcode = '55000';
    end if;
    return new;
  end if;

  if new.id <> old.id or new.version_id <> old.version_id or new.kind <> old.kind
    or (new.user_id is distinct from old.user_id and new.user_id is not null)
    or (new.business_id is distinct from old.business_id and old.business_id is not null)
  then
    raise exception 'An attempt stays with its person, business and version.'
      using errcode = '55000';
  end if;

  if new.overall_score is distinct from old.overall_score
    and (old.state, new.state) is distinct from ('in_progress', 'submitted')
  then
    raise exception 'A score is computed once.' using errcode = '55000';
  end if;
  if new.state = 'expired' and old.state <> 'expired' and new.expires_at > now() then
    raise exception 'An attempt expires when its time is over.' using errcode = '55000';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_engagement()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'DELETE' then
    raise exception 'An engagement is closed, never removed.' using errcode = '55000';
  end if;
  if tg_op = 'UPDATE' and (
    new.id <> old.id or new.business_id <> old.business_id
    or (new.owner_id is distinct from old.owner_id and new.owner_id is not null)
  ) then
    raise exception 'An engagement stays with its owner and business.' using errcode = '55000';
  end if;
  if new.state = 'requested' and new.coach_id is not null
    or tg_op = 'UPDATE' and old.state = 'requested' and new.state = 'assigned' and new.coach_id is null
  then
    raise exception 'A coach is assigned to a request.' using errcode = '55000';
  end if;

  if tg_op = 'UPDATE' and new.state <> old.state then
    if new.state = 'assigned' then
      new.assigned_at := now();
    end if;
    -- Where no step leads on from it is closed.
    if not exists (
      select from private.transitions t where t.entity = 'engagement' and t.from_state = new.state
    ) then
      new.closed_at := now();
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_project()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'DELETE' then
    raise exception 'A project is canceled, never removed.' using errcode = '55000';
  end if;
  if new.id <> old.id or new.business_id <> old.business_id then
    raise exception 'A project stays with its business.' using errcode = '55000';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.may_step (
  p_entity text,
  p_from   text,
  p_to     text,
  p_who    text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from private.transitions t
    where t.entity = p_entity and t.from_state = p_from and t.to_state = p_to and p_who = any (t.who)
  )
$function$;

CREATE OR REPLACE FUNCTION private.my_clients()
  RETURNS TABLE (
    engagement_id  uuid,
    owner_id       uuid,
    business_id    uuid,
    results_shared boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select e.id, e.owner_id, e.business_id, e.results_shared
  from public.engagements e
  where e.coach_id = (select auth.uid())
    -- Null once the owner deleted the account: their business is nobody's to read then.
    and e.owner_id is not null
    and e.closed_at is null
    and (select private.is_coach())
$function$;

CREATE OR REPLACE FUNCTION private.project_moves (
  p_status text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(
    jsonb_agg(jsonb_build_object('to', t.to_state, 'note', t.needs_note) order by t.position), '[]'
  )
  from private.transitions t where t.entity = 'project' and t.from_state = p_status
$function$;

CREATE OR REPLACE FUNCTION private.why_closed (
  p_conversation public.conversations,
  p_user_id      uuid
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_other uuid;
begin
  case p_conversation.kind
    when 'direct' then
      select p.user_id into v_other from public.conversation_participants p
      where p.conversation_id = p_conversation.id and p.user_id <> p_user_id;
      return case
        when v_other is null then 'They have deleted their account.'
        when exists (
          select from public.blocks b where b.user_id = p_user_id and b.blocked_id = v_other
        ) then 'You have blocked this person.'
        -- Why is between the other and themselves.
        when exists (
          select from public.blocks b where b.user_id = v_other and b.blocked_id = p_user_id
        ) then 'You cannot write here.'
        when not private.work_together(p_user_id, v_other) then 'You no longer work together.'
      end;
    when 'engagement' then
      return (
        select case
          when e.closed_at is not null
            then 'This coaching has ended.'
          when private.coach_of(e.id) is null then 'You can write here once you have a coach.'
        end
        from public.engagements e where e.id = p_conversation.engagement_id
      );
    when 'project' then
      return (
        select case
          when b.archived_at is not null then 'This business is archived.'
          when not exists (
            select from public.conversation_participants p
            where p.conversation_id = p_conversation.id and p.left_at is null
              and p.user_id <> p_user_id
          ) then 'Nobody else works on this project.'
        end
        from public.projects j join public.businesses b on b.id = j.business_id
        where j.id = p_conversation.project_id
      );
    else
      return case when p_conversation.about_user_id is null
        then 'They have deleted their account.' end;
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_coaching (
  p_business_id uuid,
  p_owner_id    uuid,
  p_reason      text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform set_config('trellis.reason', p_reason, true);
  update public.engagements e set state = 'withdrawn'
  where e.business_id = p_business_id and (p_owner_id is null or e.owner_id = p_owner_id)
    and e.closed_at is null;
  perform set_config('trellis.reason', '', true);
end
$function$;

CREATE OR REPLACE FUNCTION public.assign_coach (
  p_engagement_id uuid,
  p_coach_id      uuid,
  p_reason        text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_before record;
begin
  select e.id, e.closed_at, e.coach_id, e.owner_id into v_before
  from public.engagements e where e.id = p_engagement_id for update;
  if not found then
    raise exception 'There is no such engagement.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  -- They stay a coach until this is done.
  perform private.one_at_a_time('coach', p_coach_id);
  if private.role_of(p_coach_id) <> 'coach' then
    raise exception 'Choose somebody who is a coach.' using errcode = '22023', hint = 'coach_id';
  end if;
  if v_before.owner_id = p_coach_id then
    raise exception 'Nobody coaches themselves.' using errcode = '22023', hint = 'coach_id';
  end if;
  if v_before.closed_at is not null then
    raise exception 'This engagement is closed.' using errcode = '55000';
  end if;

  if v_before.coach_id is distinct from p_coach_id then
    -- The trigger that records the step reads the reason from here.
    perform set_config('trellis.reason', v_reason, true);
    update public.engagements e
    set coach_id = p_coach_id,
      state = case when e.state = 'requested' then 'assigned' else e.state end
    where e.id = p_engagement_id;
    perform set_config('trellis.reason', '', true);
    perform private.audit(
      'engagement.assign', 'engagement', p_engagement_id::text, v_reason,
      jsonb_build_object('before', v_before.coach_id, 'after', p_coach_id)
    );
  end if;
  return (
    select jsonb_build_object('id', e.id, 'state', e.state, 'coach_id', e.coach_id)
    from public.engagements e where e.id = p_engagement_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.invite_to_survey (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_survey_id uuid;
  v_address text;
  v_token text;
  v_state text;
  v_id uuid;
begin
  perform private.require_admin();
  select s.id into v_survey_id from public.surveys s where s.state = 'open';
  if not found then
    raise exception 'No survey is open.' using errcode = '55000';
  end if;
  select u.email into v_address
  from public.engagements e join auth.users u on u.id = e.owner_id
  where e.id = p_engagement_id
    and (e.closed_at is null and e.state <> 'requested' or e.state = 'completed');
  if not found then
    raise exception 'There is no such engagement, or nobody to ask.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;

  -- Two random UUIDs have 244 random bits.
  v_token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  insert into public.mail_outbox (to_address, template, expires_at, data)
  select v_address, 'survey-invitation', now() + interval '90 days', jsonb_build_object(
    -- Behind the #, which no server and no log ever sees.
    'path', '/engagement-survey#invitation=' || v_token, 'privacy', s.privacy
  )
  from public.surveys s where s.id = v_survey_id
  returning state into v_state;
  -- The link that the client has stays good: it only ends when a new one is on its way.
  if v_state <> 'queued' then
    perform private.refuse_for_now(
      'This client has had many emails today. Try again tomorrow.', interval '1 day'
    );
  end if;

  insert into public.survey_invitations (survey_id, engagement_id, token_hash)
  values (v_survey_id, p_engagement_id, private.survey_token_hash(v_token))
  -- Asked again, the client gets a new link, and the one before no longer works.
  on conflict (survey_id, engagement_id) do update
    set token_hash = excluded.token_hash, sent_at = now(),
      expires_at = now() + interval '90 days'
    where not survey_invitations.answered
  returning id into v_id;
  if v_id is null then
    raise exception 'This client has answered already.' using errcode = '55000';
  end if;
  perform private.audit('survey.invite', 'engagement', p_engagement_id::text, null, '{}');
  return jsonb_build_object('id', v_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.move_project (
  p_id     uuid,
  p_status text,
  p_note   text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_project public.projects := private.project_for_change(p_id, 'edit');
  v_note text := nullif(btrim(p_note), '');
  -- Null where there is no such step.
  v_needs_note boolean := (
    select t.needs_note from private.transitions t
    where t.entity = 'project' and t.from_state = v_project.status and t.to_state = p_status
      and case private.project_right(v_project.business_id) when 'admin' then 'admin' else 'member' end
        = any (t.who)
  );
  v_refused text;
begin
  if char_length(v_note) > 1000 then
    raise exception 'Keep the note to 1,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  if v_project.status is distinct from p_status then
    v_refused := case
      when v_needs_note is null
        then 'A project cannot take this step from where it is.'
      when v_needs_note and v_note is null then
        case p_status when 'blocked' then 'Say what blocks the project.'
          else 'Say in a note why the project is taken up again.' end
    end;
    insert into public.project_events (
      project_id, business_id, actor_id, kind, from_status, to_status, note
    ) values (
      p_id, v_project.business_id, auth.uid(),
      case when v_refused is null then 'moved' else 'refused' end,
      v_project.status, left(p_status, 40), v_note
    );
    if v_refused is null then
      update public.projects p set
        status = p_status,
        blocked_reason = case when p_status = 'blocked' then v_note end,
        revision = p.revision + 1
      where p.id = p_id
      returning * into v_project;
    end if;
  end if;
  -- A refusal is an answer and not an error, which would take the event away with it.
  return jsonb_build_object(
    'status', v_project.status, 'refused', v_refused,
    'revision', v_project.revision, 'blocked_reason', v_project.blocked_reason,
    'moves', private.project_moves(v_project.status)
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.request_coaching (
  p_id            uuid,
  p_business_id   uuid,
  p_note          text    DEFAULT NULL::text,
  p_areas         text[]  DEFAULT '{}'::text[],
  p_share_results boolean DEFAULT false
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_found record;
begin
  perform private.one_at_a_time('engagements', v_user_id);

  select e.id, e.owner_id, e.state into v_found from public.engagements e where e.id = p_id;
  if found then
    if v_found.owner_id is distinct from v_user_id then
      raise exception 'This request exists already.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'state', v_found.state);
  end if;

  if p_id is null then
    raise exception 'A request needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_member(p_business_id);
  if char_length(p_note) > 2000 then
    raise exception 'Keep the note to 2,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  if exists (
    select from unnest(p_areas) as chosen (key)
    where not exists (select from public.skill_areas s where s.key = chosen.key)
  ) then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'areas';
  end if;
  if exists (
    select from public.engagements e
    where e.owner_id = v_user_id and e.business_id = p_business_id
      and e.closed_at is null
  ) then
    raise exception 'You have already asked for a coach for this business.'
      using errcode = '23505', hint = 'business_id';
  end if;

  insert into public.engagements (id, business_id, owner_id, areas, note, results_shared)
  values (
    p_id, p_business_id, v_user_id,
    array(select distinct key from unnest(p_areas) as chosen (key) order by key),
    nullif(btrim(p_note), ''), coalesce(p_share_results, false)
  );
  return jsonb_build_object('id', p_id, 'state', 'requested');
end
$function$;

CREATE OR REPLACE FUNCTION public.void_attempt (
  p_attempt_id uuid,
  p_reason     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_state text;
begin
  select t.state into v_state from public.attempts t where t.id = p_attempt_id for update;
  if not found then
    raise exception 'There is no such attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if not private.may_step('attempt', v_state, 'voided', 'admin') then
    raise exception 'Only a submitted attempt can be voided.' using errcode = '55000';
  end if;
  update public.attempts t
  set state = 'voided', voided_at = now(), void_reason = v_reason, voided_by = v_admin_id
  where t.id = p_attempt_id;
  perform private.audit('attempt.void', 'attempt', p_attempt_id::text, v_reason);
  return jsonb_build_object('id', p_attempt_id, 'state', 'voided');
end
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_coaching (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_before record;
begin
  select e.state, e.coach_id, b.name as business into v_before
  from public.engagements e join public.businesses b on b.id = e.business_id
  where e.id = p_engagement_id and e.owner_id = v_user_id
  for update of e;
  if not found then
    raise exception 'There is no such engagement.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  -- Sent again after a lost answer, it is done already.
  if v_before.state <> 'withdrawn' then
    if not private.may_step('engagement', v_before.state, 'withdrawn', 'owner') then
      raise exception 'This coaching has already ended.' using errcode = '55000';
    end if;
    update public.engagements e set state = 'withdrawn' where e.id = p_engagement_id;
    if v_before.coach_id is not null then
      perform private.notify_person(
        v_before.coach_id, 'Coaching for ' || v_before.business || ' was withdrawn',
        coalesce(private.name_of(v_user_id), 'The owner') || ' has withdrawn from coaching for '
          || v_before.business || '. It''s no longer one of your clients, and you can''t open the business or its results anymore.',
        'You get this email because you were the coach.', 'Your clients', '/dashboard/coaching'
      );
    end if;
  end if;
  return jsonb_build_object('id', p_engagement_id, 'state', 'withdrawn');
end
$function$;

CREATE UNIQUE INDEX engagements_one_open_idx ON public.engagements USING btree (business_id, owner_id)
  WHERE (closed_at IS NULL);

CREATE TRIGGER attempts_stay_as_they_are
  BEFORE INSERT OR DELETE OR UPDATE ON public.attempts
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_attempt();

CREATE TRIGGER attempts_take_known_steps
  BEFORE INSERT OR UPDATE OF state ON public.attempts
  FOR EACH ROW
  EXECUTE FUNCTION private.check_transition('attempt', 'state');

CREATE TRIGGER engagements_stay_as_they_are
  BEFORE INSERT OR DELETE OR UPDATE ON public.engagements
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_engagement();

CREATE TRIGGER engagements_take_known_steps
  BEFORE INSERT OR UPDATE OF state ON public.engagements
  FOR EACH ROW
  EXECUTE FUNCTION private.check_transition('engagement', 'state');

CREATE TRIGGER projects_stay_with_their_business
  BEFORE UPDATE ON public.projects
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_project();

CREATE TRIGGER projects_take_known_steps
  BEFORE INSERT OR UPDATE OF status ON public.projects
  FOR EACH ROW
  EXECUTE FUNCTION private.check_transition('project', 'status');

COMMENT ON FUNCTION "private"."check_transition"() IS 'Trigger of tables with states: refuses (55000) a step that private.transitions does not have. Its arguments are the entity and the column of the state.';

COMMENT ON FUNCTION "private"."guard_attempt"() IS 'An attempt stays whose and what it is, and its score is computed once. Times may be set by whoever owns the table (demo data lies in the past); no API role may update it at all.';

COMMENT ON FUNCTION "private"."guard_engagement"() IS 'An engagement stays what it is about, has a coach once it is assigned, and has the time when it closed.';

COMMENT ON FUNCTION "private"."may_step"(text, text, text, text) IS 'Whether a step exists and is one of whoever takes it.';

COMMENT ON TABLE "private"."transitions" IS 'The steps that a project, an attempt or an engagement can take, and whose they are. Nothing changes a row but a migration.';

REVOKE ALL ON FUNCTION "private"."check_transition"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_transition"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."check_transition"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."may_step"(text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_step"(text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."may_step"(text, text, text, text) TO "postgres";

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
  ('engagement', 2, 'requested', 'assigned', '{admin}', true),
  ('engagement', 3, 'requested', 'withdrawn', '{owner,system}', false),
  ('engagement', 4, 'assigned', 'withdrawn', '{owner,system}', false),
  ('engagement', 5, 'accepted', 'withdrawn', '{owner,system}', false),
  ('engagement', 6, 'active', 'withdrawn', '{owner,system}', false),
  ('engagement', 7, 'paused', 'withdrawn', '{owner,system}', false);
