SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.begin_search (
  p_times integer
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.count_writes('searches', p_times);
  return private.role_of(v_user_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.search_everything (
  p_words text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  -- Rows of each kind.
  c_each constant int := 5;
  v_words constant text := btrim(left(coalesce(p_words, ''), 100));
  v_query constant tsquery := private.words_query(v_words);
  v_names constant tsquery := private.name_query(v_words);
  c_is_long constant boolean := char_length(v_words) >= 2;
  v_role constant text := private.begin_search(c_is_long::int);
  v_rows jsonb := '[]';
begin
  if not c_is_long then
    return '[]';
  end if;
  if v_role = 'admin' then
    v_rows := (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'account', 'id', r.row ->> 'id',
        'title', coalesce(nullif(r.row ->> 'name', ''), r.row ->> 'email'),
        'detail', r.row ->> 'email', 'type', r.row ->> 'role', 'seq', null
      ) order by r.place), '[]')
      from jsonb_array_elements(
        public.admin_people(jsonb_build_object('words', v_words), null, c_each) -> 'rows'
      ) with ordinality as r (row, place)
    ) || (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'business', 'id', r.row ->> 'id', 'title', r.row ->> 'name',
        'detail', nullif(concat_ws(', ', r.row ->> 'city', r.row ->> 'region'), ''),
        'type', null, 'seq', null
      ) order by r.place), '[]')
      from jsonb_array_elements(
        public.admin_businesses(jsonb_build_object('words', v_words), null, c_each) -> 'rows'
      ) with ordinality as r (row, place)
    ) || (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'project', 'id', r.row ->> 'id', 'title', r.row ->> 'title',
        'detail', r.row -> 'business' ->> 'name', 'type', r.row ->> 'status', 'seq', null
      ) order by r.place), '[]')
      from jsonb_array_elements(public.admin_projects(
        jsonb_build_object('words', v_words, 'status', 'all'), null, c_each
      ) -> 'rows') with ordinality as r (row, place)
    );
  else
    v_rows := (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'client', 'id', r.row ->> 'id', 'title', r.row -> 'business' ->> 'name',
        'detail', r.row -> 'owner' ->> 'full_name', 'type', r.row ->> 'state', 'seq', null
      ) order by r.place), '[]')
      from jsonb_array_elements(
        public.list_clients(jsonb_build_object('q', v_words), null, c_each) -> 'rows'
      ) with ordinality as r (row, place)
    ) || (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'project', 'id', p.id, 'title', p.title, 'detail', p.business,
        'type', p.status, 'seq', null
      ) order by p.place), '[]')
      from (
        select p.id, p.title, p.status,
          (select b.name from public.businesses b where b.id = p.business_id) as business,
          row_number() over (
            order by p.status = 'canceled', ts_rank(p.words, v_query) desc, p.updated_at desc, p.id
          ) as place
        from public.projects p where p.words @@ v_query
      ) p
      where p.place <= c_each
    ) || (
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'business', 'id', b.id, 'title', b.name,
        'detail', nullif(concat_ws(', ', b.city, b.region), ''), 'type', null, 'seq', null
      ) order by b.archived_at is not null, b.name, b.id), '[]')
      from (
        select * from public.businesses b where b.words @@ v_names
        order by b.archived_at is not null, b.name, b.id limit c_each
      ) b
    ) || (
      -- A coach finds clients above.
      select coalesce(jsonb_agg(jsonb_build_object(
        'kind', 'person', 'id', r.row ->> 'subject_id', 'title', r.row ->> 'name',
        'detail', r.row ->> 'words', 'type', null, 'seq', null
      ) order by r.place) filter (where r.row ->> 'words' not like 'Client: %'), '[]')
      from jsonb_array_elements(public.list_correspondents(v_words, c_each))
        with ordinality as r (row, place)
      where r.row ->> 'kind' = 'direct'
    );
  end if;

  return v_rows || (
    select coalesce(jsonb_agg(jsonb_build_object(
      'kind', 'conversation', 'id', r.row ->> 'id', 'title', r.row ->> 'title',
      'detail', r.row -> 'last_message' ->> 'excerpt', 'type', null, 'seq', null
    ) order by r.place), '[]')
    from jsonb_array_elements(
      public.list_conversations(v_words, null, null, c_each) -> 'conversations'
    ) with ordinality as r (row, place)
  ) || (
    select coalesce(jsonb_agg(jsonb_build_object(
      'kind', 'message', 'id', r.row ->> 'conversation_id', 'title', r.row ->> 'title',
      'detail', concat_ws(': ', r.row ->> 'author_name', r.row ->> 'excerpt'),
      'type', null, 'seq', (r.row ->> 'seq')::bigint
    ) order by r.place), '[]')
    from jsonb_array_elements(public.search_messages(v_words, null, c_each))
      with ordinality as r (row, place)
  ) || (
    select coalesce(jsonb_agg(jsonb_build_object(
      'kind', 'tool', 'id', i.slug, 'title', i.title, 'detail', i.summary, 'type', i.type,
      'seq', null
    ) order by ts_rank(i.words, v_query) desc, i.title, i.id), '[]')
    from (
      select * from public.toolbox_items i where i.words @@ v_query and i.state = 'published'
      order by ts_rank(i.words, v_query) desc, i.title, i.id limit c_each
    ) i
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."search_everything"(text) FROM PUBLIC, "anon", "service_role";

COMMENT ON FUNCTION "private"."begin_search"(integer) IS 'Counts the caller''s searches, and returns their role. An error without a session (42501) or over the limit (PT429).';

COMMENT ON FUNCTION "public"."search_everything"(text) IS 'What the caller can open whose words start with these: [{kind ("account" and everyone''s businesses and projects for admins, "client", "project", "business", "person", "conversation", "message", "tool"), id (a tool''s slug, a message''s conversation), title, detail, type (a role, state, status or kind of tool), seq (of a message)}], at most five of each kind, best first. Nothing for fewer than two characters.';

REVOKE ALL ON FUNCTION "private"."begin_search"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_search"(integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."name_query"(text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."plain_words"(text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."search_everything"(text) TO "authenticated";

insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('searches', null, null, 120, 5000, 'searched a lot');
