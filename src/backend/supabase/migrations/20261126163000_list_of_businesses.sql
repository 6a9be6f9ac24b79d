SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.list_businesses (
  p_archived  boolean DEFAULT false,
  p_page      integer DEFAULT 1,
  p_page_size integer DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_size int := least(greatest(coalesce(p_page_size, 20), 1), 100);
  v_skip bigint := (least(greatest(coalesce(p_page, 1), 1), 1000000)::bigint - 1) * v_size;
begin
  return (
    with mine as materialized (
      select b.*, m.role
      from public.businesses b
      left join public.business_members m on m.business_id = b.id and m.user_id = v_user_id
      where b.id = any (array(select private.readable_business_ids()))
    )
    select jsonb_build_object(
      'total', (select count(*) from mine where (archived_at is not null) = p_archived),
      'other', (select count(*) from mine where (archived_at is not null) <> p_archived),
      'page_size', v_size,
      'invitations', case when p_archived then '[]'::jsonb else private.invitations_to_me() end,
      'businesses', coalesce((
        select jsonb_agg(
          jsonb_build_object(
            'id', o.id, 'name', o.name, 'trading', o.trading, 'city', o.city, 'region', o.region,
            'postal_code', o.postal_code, 'industry', o.industry, 'role', o.role,
            'archived_at', o.archived_at,
            'members', (select count(*) from public.business_members a where a.business_id = o.id),
            -- Who belongs to it is for its members; a coach knows whose business it is.
            'owner', (
              select private.name_of(a.user_id) from public.business_members a
              where a.business_id = o.id and a.role = 'owner'
            ),
            'plan', private.plan_progress(o.id),
            'forecast_saved_at', (
              select w.saved_at from public.business_worksheets w
              where w.business_id = o.id and w.kind = 'forecast'
            )
          ) order by o.name collate private.by_name, o.id
        )
        from (
          select * from mine where (archived_at is not null) = p_archived
          order by name collate private.by_name, id offset v_skip limit v_size
        ) o
      ), '[]')
    )
  );
end
$function$;

COMMENT ON FUNCTION "public"."list_businesses"(boolean, integer, integer) IS 'A page of the businesses the caller can read, by name, each with its owner''s name and how far its plan and forecast are: {businesses, total, other (archived, or the rest), page_size, invitations (open ones to the caller)}. role is null for the coach.';
