-- Background work on a screen: what waits, runs, failed and comes back. Never the secret of a job.

create index jobs_newest_idx on private.jobs (created_at, id);
create index jobs_failed_idx on private.jobs (created_at, id)
  where state = 'failed' or every is not null and last_error is not null;

create index jobs_other_idx on private.jobs (created_at, id) where kind <> 'mail';
create index jobs_words_idx on private.jobs using gin (words);

create function public.admin_jobs(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('job.list', 'job', null, null, p_filter);
  return private.list_page(
    'private.jobs r',
    $row$
      jsonb_build_object(
        'kind', r.kind, 'state', case when r.every is not null then 'scheduled' else r.state end,
        'to', r.payload ->> 'to', 'template', r.payload ->> 'template',
        'path', r.payload ->> 'path', 'attempts', r.attempts, 'error', r.last_error,
        'created_at', r.created_at, 'run_at', r.run_at, 'finished_at', r.finished_at
      )
    $row$,
    array[
      case p_filter ->> 'state'
        when 'failed' then $where$(r.state = 'failed' or r.every is not null and r.last_error is not null)$where$
        when 'scheduled' then $where$r.every is not null$where$
        else case when p_filter ? 'state' then $where$r.every is null and r.state = $1 ->> 'state'$where$ end
      end,
      case p_filter ->> 'kind'
        when 'mail' then 'r.kind = ''mail'''
        when 'other' then 'r.kind <> ''mail'''
      end
    ],
    'r.created_at', 'timestamptz', coalesce(p_filter ->> 'sort', 'newest') = 'newest',
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  );
end
$$;
comment on function public.admin_jobs(jsonb, jsonb, int) is
  'A page of background jobs by {words (of an email''s recipient), state (also "scheduled"; "failed" includes scheduled ones whose last run failed), kind (of email or other work), sort ("newest", "oldest")}; see list_page.';
grant execute on function public.admin_jobs(jsonb, jsonb, int) to authenticated;
