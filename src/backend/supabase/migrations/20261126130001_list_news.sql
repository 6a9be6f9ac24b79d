SET local check_function_bodies = off;

DROP INDEX "public"."project_events_business_id_idx";

DROP INDEX "public"."project_updates_business_id_idx";

CREATE OR REPLACE FUNCTION public.list_news (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(to_jsonb(n) order by n.at desc, n.id), '[]')
  from (
    (
      select 'notification' as kind, o.id, o.title, null as by, null as status, o.created_at as at
      from public.notifications o
      where o.user_id = (select auth.uid()) and o.created_at > now() - interval '30 days'
      order by o.created_at desc limit 6
    )
    union all
    (
      -- Each project once, with its latest step by someone else.
      select distinct on (e.project_id) 'moved', p.id, p.title,
        (select f.full_name from public.profiles f where f.user_id = e.actor_id), e.to_status, e.at
      from (
        select * from public.project_events x
        where x.business_id = p_business_id and x.kind = 'moved'
          and x.actor_id is distinct from (select auth.uid())
          and x.at > now() - interval '30 days'
        order by x.at desc limit 30
      ) e
      join public.projects p on p.id = e.project_id
      order by e.project_id, e.at desc
    )
    union all
    (
      select distinct on (u.project_id) 'update', p.id, p.title,
        (select f.full_name from public.profiles f where f.user_id = u.author_id), null, u.at
      from (
        select * from public.project_updates x
        where x.business_id = p_business_id
          and x.author_id is distinct from (select auth.uid())
          and x.at > now() - interval '30 days'
        order by x.at desc limit 30
      ) u
      join public.projects p on p.id = u.project_id
      order by u.project_id, u.at desc
    )
    order by 6 desc, 2 limit 6
  ) n
$function$;

REVOKE ALL ON FUNCTION "public"."list_news"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE INDEX project_events_business_id_idx ON public.project_events USING btree (business_id, at DESC);

CREATE INDEX project_updates_business_id_idx ON public.project_updates USING btree (business_id, at DESC);

COMMENT ON FUNCTION "public"."list_news"(uuid) IS 'What others and the product did in the last 30 days, for the caller''s dashboard, at most six, newest first: [{kind ("notification"; "moved" or "update" of a project of the business), id (the notification''s or project''s), title, by (a name, if the caller may see it), status (that a project moved to), at}].';

GRANT EXECUTE ON FUNCTION "public"."list_news"(uuid) TO "authenticated";
