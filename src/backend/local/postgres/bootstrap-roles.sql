-- What Supabase has before the first migration, part one: the roles that requests run as. Runs
-- before @supabase/lite creates its schemas. Every statement can run again.

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('supabase_auth_admin', 'nologin noinherit'),
      ('supabase_storage_admin', 'nologin noinherit'),
      ('supabase_realtime_admin', 'nologin noinherit')
    ) as roles(name, attributes)
  loop
    if not exists (select from pg_roles where rolname = wanted.name) then
      execute format('create role %I %s', wanted.name, wanted.attributes);
    end if;
  end loop;
  -- Whoever serves requests becomes these three; making a role does not give that right.
  if not (select rolsuper from pg_roles where rolname = current_user) then
    begin
      execute format('grant anon, authenticated, service_role to %I', current_user);
    exception when insufficient_privilege then
      -- Somebody with more rights may have given them before.
      if not pg_has_role(current_user, 'service_role', 'member') then
        raise exception 'The role % of this database may not become anon, authenticated and service_role. Let a superuser run: grant anon, authenticated, service_role to %',
          current_user, current_user using errcode = '42501';
      end if;
    end;
  end if;
end
$$;
