-- Surveys: what clients say about the help they got. People respond through a personal link, which
-- works once, or through the public link if the survey has one. The tables are designed to keep the
-- promise that people read before the first question (anonymous or confidential). No API role reads
-- the tables. Results come from batches of answers, in survey_batches.sql.

create table public.surveys (
  id uuid primary key,
  title text not null check (char_length(title) between 1 and 90),
  privacy text not null check (privacy in ('anonymous', 'confidential')),
  -- Ten statements, rated 1 to 5; results rely on their order.
  statements text[] not null check (
    cardinality(statements) = 10 and array_position(statements, null) is null
  ),
  recommend text not null,
  -- Two open-ended questions.
  comments text[] not null check (
    cardinality(comments) = 2 and array_position(comments, null) is null
  ),
  public_link boolean not null,
  -- What the results of personal links are also read by: the engagement's first area, its coach, or
  -- its business's industry or program. Null: by none of them.
  grouped_by text check (grouped_by in ('area', 'coach', 'industry', 'program')),
  state text not null default 'open' check (state in ('open', 'closed')),
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (id, privacy),
  check (privacy = 'confidential' or grouped_by is null),
  check ((state = 'closed') = (closed_at is not null))
);
comment on table public.surveys is
  'Ten statements, one recommendation, two comments, and what people are promised about who reads them.';

create unique index surveys_one_open_idx on public.surveys (state) where state = 'open';

create table public.survey_invitations (
  id uuid primary key default gen_random_uuid(),
  survey_id uuid not null references public.surveys (id),
  engagement_id uuid not null references public.engagements (id),
  -- SHA-256 of the secret; only the link has the secret itself.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '90 days',
  -- Whether, not when: a time could be matched to an anonymous response.
  answered boolean not null default false,
  -- The reminder has a secret of its own, so that the link in the first email works too.
  reminded boolean not null default false,
  reminder_hash bytea unique check (octet_length(reminder_hash) = 32),
  unique (survey_id, engagement_id)
);
comment on table public.survey_invitations is
  'Personal links to a survey, one per engagement, and whether each was used: the response rate.';

create index survey_invitations_engagement_id_idx on public.survey_invitations (engagement_id);

create table public.survey_responses (
  -- Created by the browser, so that sending it twice stores it once.
  id uuid primary key,
  survey_id uuid not null,
  privacy text not null,
  invited boolean not null,
  -- Only the date: a time could be matched to the person's visit.
  responded_on date not null default current_date,
  -- Whose response it is; always null in an anonymous survey.
  engagement_id uuid references public.engagements (id),
  -- Agreement with each statement, 1 to 5; null if skipped.
  agreement smallint[] not null check (
    cardinality(agreement) = 10 and 1 <= all (agreement) and 5 >= all (agreement)
  ),
  recommend smallint check (recommend between 0 and 10),
  comments text[] not null check (cardinality(comments) = 2),
  -- A survey's promise can't change once someone has responded.
  foreign key (survey_id, privacy) references public.surveys (id, privacy),
  check (privacy = 'confidential' or engagement_id is null)
);
comment on table public.survey_responses is
  'Responses to surveys. Nothing in an anonymous response leads to a person.';

create index survey_responses_survey_id_idx on public.survey_responses (survey_id, privacy);
create index survey_responses_engagement_id_idx on public.survey_responses (engagement_id);

alter table public.surveys enable row level security;
alter table public.survey_invitations enable row level security;
alter table public.survey_responses enable row level security;

create trigger survey_responses_are_never_changed before update or delete
  on public.survey_responses for each row execute function private.refuse_change();
create trigger survey_responses_are_never_emptied before truncate
  on public.survey_responses for each statement execute function private.refuse_change();

-- Personal links --------------------------------------------------------------------------------

create function private.survey_token_hash(p_invitation text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to(p_invitation, 'UTF8'))
$$;

create function private.new_survey_token() returns text
language sql volatile set search_path = '' as $$
  -- Two random UUIDs have 244 random bits.
  select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;

create function private.mail_survey(
  p_address text, p_template text, p_token text, p_privacy text, p_expires_at timestamptz
) returns boolean
language sql volatile security definer set search_path = '' as $$
  select private.send_mail(p_address, p_template, jsonb_build_object(
    -- Behind the #, which no server and no log ever sees.
    'path', '/engagement-survey#invitation=' || p_token,
    -- For browsers without JavaScript, which can only hand the secret to the server.
    'plain_path', '/engagement-survey/' || p_token,
    'privacy', p_privacy
  ), p_expires_at)
$$;
comment on function private.mail_survey(text, text, text, text, timestamptz) is
  'Queues an email with a personal link; returns whether it goes out.';

create function private.send_survey(p_engagement_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_survey_id uuid;
  v_address text;
  v_token text;
  v_goes boolean;
begin
  select s.id into v_survey_id from public.surveys s where s.state = 'open';
  if not found then
    return 'no survey';
  end if;
  select u.email into v_address
  from public.engagements e join auth.users u on u.id = e.owner_id
  where e.id = p_engagement_id
    and (e.closed_at is null and e.state <> 'requested' or e.state = 'completed');
  if not found then
    return 'nobody';
  end if;

  v_token := private.new_survey_token();
  select private.mail_survey(
    v_address, 'survey-invitation', v_token, s.privacy, now() + interval '90 days'
  )
  into v_goes
  from public.surveys s where s.id = v_survey_id;
  -- The link that the client has stays good: it only ends when a new one is on its way.
  if not v_goes then
    return 'limited';
  end if;

  insert into public.survey_invitations (survey_id, engagement_id, token_hash)
  values (v_survey_id, p_engagement_id, private.survey_token_hash(v_token))
  -- Asked again, the client gets a new link, and those before no longer work.
  on conflict (survey_id, engagement_id) do update
    set token_hash = excluded.token_hash, reminder_hash = null, sent_at = now(),
      expires_at = now() + interval '90 days'
    where not survey_invitations.answered;
  return case when found then 'sent' else 'answered' end;
end
$$;
comment on function private.send_survey(uuid) is
  'Emails a client the personal link to the open survey: sent, or why not (no survey, nobody, limited, answered; of the last, undo the email).';

create function private.ask_about_coaching(p_engagement_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Who has been asked in this survey isn't asked again only because coaching ended once more.
  if not exists (
    select from public.survey_invitations i
    join public.surveys s on s.id = i.survey_id and s.state = 'open'
    where i.engagement_id = p_engagement_id
  ) then
    perform private.send_survey(p_engagement_id);
  end if;
end
$$;
comment on function private.ask_about_coaching(uuid) is
  'When coaching ends: the client is invited to the open survey, if there is one.';

create function public.invite_to_survey(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  case private.send_survey(p_engagement_id)
    when 'no survey' then
      raise exception 'There’s no open survey.' using errcode = '55000';
    when 'nobody' then
      raise exception 'We can’t find this coaching, or there’s nobody to ask.'
        using errcode = 'P0002', hint = 'engagement_id';
    when 'limited' then
      perform private.refuse_for_now(
        'We’ve sent this client a lot of emails today. Try again tomorrow.', interval '1 day'
      );
    when 'answered' then
      raise exception 'This client has already answered.' using errcode = '55000';
    else null;
  end case;
  perform private.audit('survey.invite', 'engagement', p_engagement_id::text);
  return jsonb_build_object('id', (
    select i.id from public.survey_invitations i
    join public.surveys s on s.id = i.survey_id and s.state = 'open'
    where i.engagement_id = p_engagement_id
  ));
end
$$;
comment on function public.invite_to_survey(uuid) is
  'An admin emails a client the personal link to the open survey; {id}. Doing it again replaces the link until it''s been used.';
grant execute on function public.invite_to_survey(uuid) to authenticated;

-- One reminder ---------------------------------------------------------------------------------

create function private.remind_of_surveys() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_due record;
  v_token text;
  v_count int := 0;
begin
  for v_due in
    select i.id, i.expires_at, u.email, s.privacy
    from public.survey_invitations i
    join public.surveys s on s.id = i.survey_id
    join public.engagements e on e.id = i.engagement_id
    join auth.users u on u.id = e.owner_id
    where s.state = 'open' and not i.answered and not i.reminded
      and i.sent_at <= now() - interval '7 days' and i.expires_at > now()
      and u.email is not null and private.wants(u.id, 'coaching')
    order by i.sent_at, i.id limit 500
    for update of i skip locked
  loop
    v_token := private.new_survey_token();
    update public.survey_invitations i
    set reminded = true, reminder_hash = private.survey_token_hash(v_token)
    where i.id = v_due.id;
    perform private.mail_survey(
      v_due.email, 'survey-reminder', v_token, v_due.privacy, v_due.expires_at
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.remind_of_surveys() is
  'Reminds clients once, a week after their invitation to the open survey, unless they''ve answered or don''t want emails about coaching; how many.';
insert into private.jobs (kind, every) values ('remind_of_surveys', interval '1 hour');

-- Responding ------------------------------------------------------------------------------------

create function public.get_survey(p_invitation text default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', s.id, 'title', s.title, 'privacy', s.privacy, 'statements', s.statements,
    'recommend', s.recommend, 'comments', s.comments,
    'access', case
      when i.answered then 'answered'
      when i.expires_at > now() then 'invitation'
      when s.public_link then 'public'
      else 'none'
    end
  )
  from public.surveys s
  left join public.survey_invitations i
    on i.survey_id = s.id
    and private.survey_token_hash(p_invitation) = any (array[i.token_hash, i.reminder_hash])
  where s.state = 'open'
$$;
comment on function public.get_survey(text) is
  'The open survey, and how the caller can answer it: by this invitation, by the public link, not again (answered) or not at all (none). Null if no survey is open.';
grant execute on function public.get_survey(text) to anon, authenticated;

create function private.read_response(
  p_response jsonb, out agreement smallint[], out recommend smallint, out comments text[]
)
language plpgsql immutable set search_path = '' as $$
begin
  if p_response is null or jsonb_typeof(p_response) <> 'object'
    or octet_length(p_response::text) > 32768
    or jsonb_typeof(p_response -> 'agreement') is distinct from 'array'
    or jsonb_typeof(p_response -> 'comments') is distinct from 'array'
  then
    raise exception 'We couldn’t read these answers.' using errcode = '22023';
  end if;
  begin
    select array_agg(value::smallint order by place) into agreement
    from jsonb_array_elements_text(p_response -> 'agreement') with ordinality as a (value, place);
    select array_agg(nullif(btrim(value), '') order by place) into comments
    from jsonb_array_elements_text(p_response -> 'comments') with ordinality as c (value, place);
    recommend := (p_response ->> 'recommend')::smallint;
  exception when data_exception then
    raise exception 'We couldn’t read these answers.' using errcode = '22023';
  end;
  if cardinality(agreement) is distinct from 10 or cardinality(comments) is distinct from 2
    or exists (select from unnest(agreement) as a (value) where value not between 1 and 5)
    or recommend not between 0 and 10
  then
    raise exception 'These answers don’t match the questions.' using errcode = '22023';
  end if;
  if exists (select from unnest(comments) as c (value) where char_length(value) > 2000) then
    raise exception 'Keep each comment to 2,000 characters.'
      using errcode = '22023', hint = 'comments';
  end if;
  if recommend is null and num_nulls(variadic agreement) = 10 and num_nulls(variadic comments) = 2
  then
    raise exception 'Answer at least one question.' using errcode = '22023';
  end if;
end
$$;

create function private.store_survey_response(
  p_id uuid, p_survey_id uuid, p_response jsonb, p_invitation text, p_sender text, p_network text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_survey record;
  v_invitation record;
  v_given record;
begin
  if p_id is null then
    raise exception 'A response needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_given from private.read_response(p_response);
  perform private.one_at_a_time('survey_response', p_id);
  -- It was stored, and the answer that said so was lost.
  if exists (
    select from public.survey_responses r where r.id = p_id and r.survey_id = p_survey_id
  ) then
    return;
  end if;

  select s.privacy, s.state, s.public_link into v_survey
  from public.surveys s where s.id = p_survey_id for share;
  if not found or v_survey.state <> 'open' then
    raise exception 'This survey is closed.' using errcode = '55000';
  end if;

  perform private.one_at_a_time('survey_invitations', p_survey_id);
  select i.id, i.engagement_id, i.answered into v_invitation
  from public.survey_invitations i
  where i.survey_id = p_survey_id and i.expires_at > now()
    and private.survey_token_hash(p_invitation) = any (array[i.token_hash, i.reminder_hash])
  for update;
  if v_invitation.answered then
    raise exception 'This link has already been used. We have your answers.' using errcode = '55000';
  elsif v_invitation.id is not null then
    -- With all that were answered before: PostgreSQL keeps of each row which transaction wrote it,
    -- and the one that wrote this alone would lead to the response.
    update public.survey_invitations i set answered = true
    where i.survey_id = p_survey_id and (i.answered or i.id = v_invitation.id);
  elsif not v_survey.public_link then
    raise exception 'You need a personal link to answer this survey.' using errcode = '42501';
  else
    -- Never by the person, even of those who are signed in: their counter would lead to the response.
    perform private.require_fair_share(
      'survey', p_sender, p_network, 20, 1000, interval '1 hour',
      'That’s too many at once. Try again %s.'
    );
  end if;

  insert into public.survey_responses (
    id, survey_id, privacy, invited, engagement_id, agreement, recommend, comments
  ) values (
    p_id, p_survey_id, v_survey.privacy, v_invitation.id is not null,
    case when v_survey.privacy = 'confidential' then v_invitation.engagement_id end,
    v_given.agreement, v_given.recommend, v_given.comments
  );
end
$$;
comment on function private.store_survey_response(uuid, uuid, jsonb, text, text, text) is
  'Stores a response once under its id, by invitation or, within a rate limit of the sender and their network, by the public link.';

create function public.submit_survey_response(
  p_id uuid, p_survey_id uuid, p_response jsonb, p_invitation text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_address text := private.client_address();
begin
  perform private.store_survey_response(
    p_id, p_survey_id, p_response, p_invitation, v_address, private.network_of(v_address, 24, 48)
  );
  return jsonb_build_object('id', p_id);
end
$$;
comment on function public.submit_survey_response(uuid, uuid, jsonb, text) is
  'Stores {agreement: 10 of 1 to 5 or null, recommend: 0 to 10 or null, comments: 2 texts or null} once under the sender''s id; {id}. By invitation, or by the public link within a rate limit.';
grant execute on function public.submit_survey_response(uuid, uuid, jsonb, text)
  to anon, authenticated;

create function private.receive_survey_response(
  p_caller text, p_id uuid, p_survey_id uuid, p_response jsonb, p_invitation text
) returns void
language sql volatile security definer set search_path = '' as $$
  select private.store_survey_response(
    p_id, p_survey_id, p_response, p_invitation, p_caller, split_part(p_caller, ':', 1)
  )
$$;
comment on function private.receive_survey_response(text, uuid, uuid, jsonb, text) is
  'Stores a response from the form of a browser without JavaScript; p_caller stands for the sender''s network and address, joined by a colon.';
