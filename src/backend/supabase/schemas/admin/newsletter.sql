-- The newsletter as admins write and send it. Tables and sending are in site/newsletter.sql.

create function public.admin_newsletter_issues(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('newsletter.list', 'newsletter_issue', null, null, p_filter);
  return private.list_page(
    'public.newsletter_issues r',
    $row$
      jsonb_build_object(
        'subject', r.subject, 'state', r.state, 'send_at', r.send_at, 'begun_at', r.begun_at,
        'finished_at', r.finished_at, 'updated_at', r.updated_at,
        'recipients', r.recipients, 'delivered', r.delivered, 'refused', r.refused
      )
    $row$,
    array[
      case when p_filter ->> 'state' in ('draft', 'scheduled', 'sending', 'stopped', 'sent') then
        format('r.state = %L', p_filter ->> 'state')
      end
    ],
    'r.created_at', 'timestamptz', true, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words')
  );
end
$$;
comment on function public.admin_newsletter_issues(jsonb, jsonb, int) is
  'A page of issues of the newsletter by {words (of the subject), state}, newest first; see list_page.';

create function private.newsletter_issue_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', i.id, 'subject', i.subject, 'preview', i.preview, 'body', i.body,
    'revision', i.revision, 'state', i.state, 'slug', i.slug, 'send_at', i.send_at,
    'begun_at', i.begun_at, 'finished_at', i.finished_at, 'updated_at', i.updated_at,
    'updated_by', i.updated_by, 'updated_by_name', private.name_of(i.updated_by),
    'recipients', i.recipients, 'delivered', i.delivered, 'refused', i.refused,
    'waiting', (
      select count(*) from public.newsletter_deliveries d
      where d.issue_id = i.id and d.state = 'waiting'
    ),
    'subscribers', (select count(*) from public.contacts c where c.newsletter = 'subscribed'),
    'last_begun_at', (
      select max(o.begun_at) from public.newsletter_issues o where o.id <> i.id
    ),
    'problem', (
      select jsonb_build_object('reason', j.last_error, 'gave_up', j.state = 'failed')
      from (
        select * from private.jobs j
        where j.kind = 'send_newsletter' and j.payload ->> 'issue_id' = i.id::text
        order by j.created_at desc, j.id desc limit 1
      ) j
      where i.state = 'sending' and j.last_error is not null and j.state in ('waiting', 'failed')
    )
  )
  from public.newsletter_issues i where i.id = p_id
$$;

create function public.admin_newsletter_issue(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  -- Nothing about a person, and read every few seconds while it's open, so it isn't in the audit log.
  return private.newsletter_issue_json(p_id);
end
$$;
comment on function public.admin_newsletter_issue(uuid) is
  'An issue with its text, its progress, how many have subscribed, when the issue before it went out, and why it''s stuck, if it is; null if there''s none.';

create function public.admin_newsletter_refusals(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.newsletter_issues i where i.id = p_id) then
    return null;
  end if;
  perform private.audit('newsletter.read', 'newsletter_issue', p_id::text);
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object('contact_id', d.contact_id, 'email', c.email, 'reason', d.last_error)
      order by d.finished_at, d.id
    ), '[]')
    from (
      select * from public.newsletter_deliveries d
      where d.issue_id = p_id and d.state = 'refused'
      order by d.finished_at, d.id limit 100
    ) d
    join public.contacts c on c.id = d.contact_id
  );
end
$$;
comment on function public.admin_newsletter_refusals(uuid) is
  'The first 100 addresses that an issue couldn''t be sent to: [{contact_id, email, reason}]; null if there''s no such issue.';

create function private.require_newsletter_issue(p_id uuid) returns public.newsletter_issues
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_issue public.newsletter_issues;
begin
  select * into v_issue from public.newsletter_issues i where i.id = p_id for update;
  if not found then
    raise exception 'We can’t find this issue.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_issue;
end
$$;

-- Writing ---------------------------------------------------------------------------------------

create function public.create_newsletter_issue(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
begin
  if p_id is null then
    raise exception 'An issue needs an id.' using errcode = '22023', hint = 'id';
  end if;
  insert into public.newsletter_issues (id, created_by, updated_by)
  values (p_id, v_admin_id, v_admin_id)
  on conflict (id) do nothing;
  if found then
    perform private.audit('newsletter.create', 'newsletter_issue', p_id::text);
  end if;
  return private.newsletter_issue_json(p_id);
end
$$;
comment on function public.create_newsletter_issue(uuid) is
  'An admin starts an issue, once under its id; returns it.';

create function public.save_newsletter_issue(
  p_id uuid, p_revision int, p_subject text, p_preview text, p_body text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_issue public.newsletter_issues := private.require_newsletter_issue(p_id);
  v_subject text := coalesce(private.clean_line(p_subject, 120), '');
  v_preview text := coalesce(private.clean_line(p_preview, 160), '');
  v_body text := replace(coalesce(p_body, ''), e'\r\n', e'\n');
begin
  if char_length(v_body) > 30000 then
    raise exception 'Keep it to 30,000 characters.' using errcode = '22023', hint = 'body';
  end if;
  if (v_issue.subject, v_issue.preview, v_issue.body) = (v_subject, v_preview, v_body) then
    -- Sent twice, or changed back: as it is asked for.
    return jsonb_build_object('saved', true, 'issue', private.newsletter_issue_json(p_id));
  end if;
  if v_issue.state <> 'draft' then
    raise exception '%', case v_issue.state
      when 'scheduled' then 'This issue is scheduled. Unschedule it to change it.'
      else 'This issue is being sent or has been sent, so it can’t change anymore.'
    end using errcode = '55000';
  end if;
  if v_issue.revision is distinct from p_revision then
    return jsonb_build_object('saved', false, 'issue', private.newsletter_issue_json(p_id));
  end if;
  update public.newsletter_issues i set
    subject = v_subject, preview = v_preview, body = v_body, revision = i.revision + 1,
    updated_by = v_admin_id, updated_at = now()
  where i.id = p_id;
  return jsonb_build_object('saved', true, 'issue', private.newsletter_issue_json(p_id));
end
$$;
comment on function public.save_newsletter_issue(uuid, int, text, text, text) is
  'An admin saves a draft based on the given revision: {saved, issue}. If someone was faster, nothing is saved and issue is theirs.';

create function public.remove_newsletter_issue(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_issue public.newsletter_issues;
begin
  perform private.require_admin();
  v_issue := private.require_newsletter_issue(p_id);
  if v_issue.state <> 'draft' then
    raise exception 'Only drafts can be deleted.' using errcode = '55000';
  end if;
  delete from public.newsletter_issues i where i.id = p_id;
  perform private.audit(
    'newsletter.remove', 'newsletter_issue', p_id::text, null,
    jsonb_build_object('subject', v_issue.subject)
  );
  return jsonb_build_object('id', p_id);
end
$$;
comment on function public.remove_newsletter_issue(uuid) is
  'An admin deletes a draft, for good: {id}.';

create function public.test_newsletter_issue(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_issue public.newsletter_issues := private.require_newsletter_issue(p_id);
  v_email text := (select u.email from auth.users u where u.id = v_admin_id);
begin
  perform private.require_newsletter_text(v_issue);
  perform private.count_writes('newsletter_tests');
  perform private.send_mail(v_email, 'newsletter-issue', jsonb_build_object(
    'subject', v_issue.subject, 'preview', v_issue.preview, 'body', v_issue.body, 'is_test', true,
    'path', '/newsletter', 'leave_path', '/newsletter'
  ));
  perform private.audit('newsletter.test', 'newsletter_issue', p_id::text);
  return jsonb_build_object('to', v_email);
end
$$;
comment on function public.test_newsletter_issue(uuid) is
  'Sends an issue to the admin who asks, as a test: {to}.';

-- Sending ---------------------------------------------------------------------------------------

create function private.require_newsletter_text(p_issue public.newsletter_issues) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_issue.subject = '' then
    raise exception 'Write a subject first.' using errcode = '22023', hint = 'subject';
  end if;
  if btrim(p_issue.body, e' \t\n') = '' then
    raise exception 'Write the issue first.' using errcode = '22023', hint = 'body';
  end if;
end
$$;

create function public.send_newsletter_issue(
  p_id uuid, p_revision int, p_at timestamptz default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_issue public.newsletter_issues := private.require_newsletter_issue(p_id);
begin
  if v_issue.state not in ('draft', 'scheduled') then
    -- Pressed twice, it's sent once.
    if p_at is null and v_issue.sent_by = v_admin_id and v_issue.revision = p_revision then
      return private.newsletter_issue_json(p_id);
    end if;
    raise exception 'This issue is being sent or has been sent.' using errcode = '55000';
  end if;
  if v_issue.revision is distinct from p_revision then
    raise exception 'Someone changed this issue in the meantime. Read it again before you send it.'
      using errcode = '55000';
  end if;
  perform private.require_newsletter_text(v_issue);
  if p_at is not null then
    if p_at not between now() and now() + interval '1 year' then
      raise exception 'Choose a time within the next year.' using errcode = '22023', hint = 'at';
    end if;
    update public.newsletter_issues i
    set state = 'scheduled', send_at = p_at, sent_by = v_admin_id where i.id = p_id;
    perform private.audit(
      'newsletter.schedule', 'newsletter_issue', p_id::text, null, jsonb_build_object('at', p_at)
    );
    return private.newsletter_issue_json(p_id);
  end if;
  if not exists (select from public.contacts c where c.newsletter = 'subscribed') then
    raise exception 'Nobody has subscribed yet.' using errcode = '55000';
  end if;
  perform private.begin_newsletter(p_id, v_admin_id);
  perform private.audit('newsletter.send', 'newsletter_issue', p_id::text, null, (
    select jsonb_build_object('recipients', i.recipients)
    from public.newsletter_issues i where i.id = p_id
  ));
  return private.newsletter_issue_json(p_id);
end
$$;
comment on function public.send_newsletter_issue(uuid, int, timestamptz) is
  'An admin sends an issue of the given revision to everyone who has confirmed, now or at a time; returns it.';

create function public.unschedule_newsletter_issue(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_issue public.newsletter_issues;
begin
  perform private.require_admin();
  v_issue := private.require_newsletter_issue(p_id);
  if v_issue.state = 'scheduled' then
    update public.newsletter_issues i
    set state = 'draft', send_at = null, sent_by = null where i.id = p_id;
    perform private.audit('newsletter.unschedule', 'newsletter_issue', p_id::text);
  elsif v_issue.state <> 'draft' then
    raise exception 'This issue is being sent or has been sent.' using errcode = '55000';
  end if;
  return private.newsletter_issue_json(p_id);
end
$$;
comment on function public.unschedule_newsletter_issue(uuid) is
  'An admin makes a scheduled issue a draft again; returns it.';

create function public.stop_newsletter_issue(p_id uuid, p_stopped boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_issue public.newsletter_issues;
  v_to text := case when p_stopped then 'stopped' else 'sending' end;
begin
  perform private.require_admin();
  v_issue := private.require_newsletter_issue(p_id);
  if v_issue.state = v_to then
    return private.newsletter_issue_json(p_id);
  end if;
  if v_issue.state not in ('sending', 'stopped') then
    raise exception '%', case v_issue.state
      when 'sent' then 'This issue has been sent to everyone.'
      else 'This issue isn’t being sent yet.'
    end using errcode = '55000';
  end if;
  update public.newsletter_issues i set state = v_to where i.id = p_id;
  if v_to = 'sending' then
    insert into private.jobs (kind, payload)
    values ('send_newsletter', jsonb_build_object('issue_id', p_id));
  end if;
  perform private.audit(
    case when p_stopped then 'newsletter.stop' else 'newsletter.resume' end,
    'newsletter_issue', p_id::text
  );
  return private.newsletter_issue_json(p_id);
end
$$;
comment on function public.stop_newsletter_issue(uuid, boolean) is
  'An admin stops an issue that''s being sent, or (false) continues; returns it. Who has it already isn''t sent it again.';

grant execute on function
  public.admin_newsletter_issues(jsonb, jsonb, int), public.admin_newsletter_issue(uuid),
  public.admin_newsletter_refusals(uuid),
  public.create_newsletter_issue(uuid), public.save_newsletter_issue(uuid, int, text, text, text),
  public.remove_newsletter_issue(uuid), public.test_newsletter_issue(uuid),
  public.send_newsletter_issue(uuid, int, timestamptz), public.unschedule_newsletter_issue(uuid),
  public.stop_newsletter_issue(uuid, boolean)
to authenticated;
