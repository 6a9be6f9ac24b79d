SET local check_function_bodies = off;

DROP FUNCTION "public"."create_business"(uuid, text, text, text, text);

CREATE OR REPLACE FUNCTION public.create_business (
  p_id          uuid,
  p_name        text,
  p_trading     text DEFAULT NULL::text,
  p_postal_code text DEFAULT NULL::text,
  p_help_wanted text DEFAULT NULL::text,
  p_industry    text DEFAULT NULL::text,
  p_stage       text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_name text := private.clean_line(p_name, 10000);
  v_found record;
begin
  perform private.one_at_a_time('businesses', v_user_id);

  select b.id, b.name, b.created_by into v_found from public.businesses b where b.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.created_by is distinct from v_user_id then
      raise exception 'This business already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'name', v_found.name);
  end if;

  if p_id is null then
    raise exception 'A business needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if v_name is null or char_length(v_name) > 120 then
    raise exception 'Give the business a name of 1 to 120 characters.'
      using errcode = '22023', hint = 'name';
  end if;
  if p_trading not in ('trading', 'not-yet') then
    raise exception 'Say whether the business is open yet.'
      using errcode = '22023', hint = 'trading';
  end if;
  if char_length(p_postal_code) > 16 then
    raise exception 'Keep it to 16 characters.'
      using errcode = '22023', hint = 'postal_code';
  end if;
  if char_length(p_help_wanted) > 2000 then
    raise exception 'Keep it to 2,000 characters.' using errcode = '22023', hint = 'help_wanted';
  end if;

  insert into public.businesses (
    id, name, trading, postal_code, help_wanted, industry, stage, created_by
  ) values (
    p_id, v_name, p_trading, private.clean_line(p_postal_code, 16),
    nullif(btrim(p_help_wanted, e' \t\r\n'), ''),
    private.check_business_fact('industry', p_industry),
    private.check_business_fact('stage', p_stage), v_user_id
  );
  insert into public.business_members (business_id, user_id, role)
  values (p_id, v_user_id, 'owner');
  return jsonb_build_object('id', p_id, 'name', v_name);
end
$function$;

REVOKE ALL ON FUNCTION "public"."create_business"(uuid, text, text, text, text, text, text) FROM PUBLIC, "anon", "service_role";

COMMENT ON FUNCTION "public"."create_business"(uuid, text, text, text, text, text, text) IS 'Creates a business that the caller owns; {id, name}.';

GRANT EXECUTE ON FUNCTION "public"."create_business"(uuid, text, text, text, text, text, text) TO "authenticated";
