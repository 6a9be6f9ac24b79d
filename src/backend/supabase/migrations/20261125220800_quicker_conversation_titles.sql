SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.comes_as_coach (
  p_conversation public.conversations,
  p_user_id      uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  case p_conversation.kind
    when 'engagement' then
      return p_user_id is not distinct from private.talking_coach(p_conversation.engagement_id);
    when 'project' then
      return not exists (
        select from public.projects j
        join public.business_members m on m.business_id = j.business_id
        where j.id = p_conversation.project_id and m.user_id = p_user_id
      );
    when 'direct' then
      return exists (
        select from public.conversation_participants o
        where o.conversation_id = p_conversation.id and o.user_id <> p_user_id
          and private.coaches(p_user_id, o.user_id)
      );
    else
      return false;
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.conversation_title (
  p_conversation public.conversations,
  p_user_id      uuid,
  p_subject      jsonb                DEFAULT NULL::jsonb
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  case p_conversation.kind
    when 'engagement' then
      return 'Coaching: ' || (coalesce(p_subject, private.subject_json(p_conversation)) ->> 'name');
    when 'project' then
      return coalesce(p_subject, private.subject_json(p_conversation)) ->> 'name';
    when 'support' then
      if p_conversation.about_user_id = p_user_id then
        return 'Support';
      end if;
      return coalesce(private.person_json(p_conversation.about_user_id) ->> 'name', 'Deleted account');
    else
      return coalesce((
        select private.person_json(p.user_id) ->> 'name' from public.conversation_participants p
        where p.conversation_id = p_conversation.id and p.user_id <> p_user_id
      ), 'Deleted account');
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.subject_json (
  p_conversation public.conversations
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  case p_conversation.kind
    when 'engagement' then
      return (
        select jsonb_build_object('kind', 'engagement', 'id', e.id, 'name', b.name)
        from public.engagements e join public.businesses b on b.id = e.business_id
        where e.id = p_conversation.engagement_id
      );
    when 'project' then
      return (
        select jsonb_build_object('kind', 'project', 'id', j.id, 'name', j.title)
        from public.projects j where j.id = p_conversation.project_id
      );
    else
      return null;
  end case;
end
$function$;
