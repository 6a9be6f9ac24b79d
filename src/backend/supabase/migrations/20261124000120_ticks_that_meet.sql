-- Two ticks that meet run a scheduled job once.

create or replace function private.tick() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_job record;
  v_result jsonb;
  v_error text;
  v_done jsonb := '{}';
begin
  for v_job in
    select j.id, j.kind, j.every from private.jobs j
    -- Planned further ahead than ever happens: the clock was put back since. A tick that began a moment
    -- later has a later now(), so a minute more isn't that.
    where j.every is not null
      and (j.run_at <= now() or j.run_at > now() + j.every + interval '1 minute')
    order by j.kind
    for update skip locked
  loop
    v_error := null;
    -- A job that fails says so in its row and does not stop the others.
    begin
      execute format('select to_jsonb(private.%I())', v_job.kind) into v_result;
    exception when others then
      v_error := sqlerrm;
      v_result := jsonb_build_object('error', sqlerrm);
    end;
    update private.jobs j
    set finished_at = now(), run_at = now() + v_job.every, last_error = v_error
    where j.id = v_job.id;
    v_done := v_done || jsonb_build_object(v_job.kind, v_result);
  end loop;
  return v_done;
end
$$;
