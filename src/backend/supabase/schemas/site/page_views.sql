-- Page views: how often each page was opened each day, and nothing about who opened it. The edge
-- function page-view counts them as the owner of the database; no API role can access the table.

create table public.page_views (
  -- In UTC.
  day date not null,
  -- A route of src/lib/routing/routes.ts, such as /blog/[slug]; 'unknown' for anything else.
  route text not null check (char_length(route) between 1 and 200),
  -- The path; the route again if the path would identify someone's record.
  path text not null check (char_length(path) between 1 and 200 and path not like '%?%'),
  views bigint not null check (views > 0),
  primary key (day, route, path)
);
comment on table public.page_views is
  'Views by day, route and path, without addresses, cookies or browsers. No API role reads or writes it.';

alter table public.page_views enable row level security;

create function private.count_page_view(p_route text, p_path text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- What a browser says is not ours: made-up names must not fill the table.
  c_paths constant int := 5000;
  c_routes constant int := 200;
  v_day date := (now() at time zone 'utc')::date;
  v_route text := p_route;
  v_path text := p_path;
begin
  update public.page_views v set views = v.views + 1
  where v.day = v_day and v.route = p_route and v.path = p_path;
  if found then
    return;
  end if;

  -- New today: one after the other, so that the numbers below are right.
  perform pg_advisory_xact_lock(hashtextextended('page_views', 0));
  if not exists (select from public.page_views v where v.day = v_day and v.route = v_route)
    and (select count(distinct v.route) from public.page_views v where v.day = v_day) >= c_routes
  then
    v_route := 'unknown';
    v_path := 'unknown';
  elsif (select count(*) from public.page_views v where v.day = v_day and v.path <> v.route)
    >= c_paths
  then
    v_path := v_route;
  end if;
  insert into public.page_views as v (day, route, path, views)
  values (v_day, v_route, v_path, 1)
  on conflict (day, route, path) do update set views = v.views + 1;
end
$$;
comment on function private.count_page_view(text, text) is
  'Counts one view today. Beyond 5,000 paths a day only the route is counted, beyond 200 routes only that there was a view.';

create function private.delete_old_page_views() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.page_views
    where day < (now() at time zone 'utc')::date - interval '25 months'
    returning 1
  )
  select count(*) from gone
$$;
insert into private.jobs (kind, every) values ('delete_old_page_views', interval '1 day');
