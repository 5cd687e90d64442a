-- Operators of clients: they sign in to the console as others do, and reach one account there (gateway/src/admin/client-scope.ts).
alter table operators drop constraint operators_role_check;
alter table operators
  add constraint operators_role_check check (role in ('viewer', 'support', 'operator', 'admin', 'client')),
  add column account_id int references accounts (id),
  -- Neither without an account, nor another role with one: a client never becomes an operator of the installation.
  add constraint operators_account_check check ((role = 'client') = (account_id is not null));
create index operators_account on operators (account_id) where account_id is not null;

-- In the place of the former one, whose callers give eight arguments and go on: the ninth has a default. Whoever may call it may call this.
do $migration$
declare
  callers oid[] := array(
    select granted.grantee from pg_proc p, aclexplode(p.proacl) granted
     where p.oid = 'add_operator(text, text, text, text, text, text, text, timestamptz)'::regprocedure
       and granted.privilege_type = 'EXECUTE' and granted.grantee not in (0, p.proowner));
  caller oid;
  source text :=
    -- With the first key. Null when the name is taken.
    $f$ create function HOME.add_operator(signing_key text, signing_hash text, new_name text, new_role text, writer text,
                                          new_key text, new_hash text, key_ends timestamptz, new_account integer default null)
          returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        declare
          signing HOME.operators := HOME.signing_operator(signing_key, signing_hash, true);
          new_id integer;
        begin
          if new_role <> 'admin' and not exists (select from HOME.operators) then
            raise exception 'the first operator must be an admin' using errcode = 'insufficient_privilege';
          end if;
          insert into HOME.operators (name, role, created_by, account_id)
          values (new_name, new_role, coalesce(signing.name, writer), new_account)
            on conflict (name) do nothing returning id into new_id;
          if new_id is not null then
            insert into HOME.operator_keys (key_id, operator_id, hash, initial, created_by, ends_at)
            values (new_key, new_id, new_hash, true, coalesce(signing.name, writer), key_ends);
          end if;
          return new_id;
        end
        $$ $f$;
begin
  drop function add_operator(text, text, text, text, text, text, text, timestamptz);
  execute replace(source, 'HOME.', quote_ident(current_schema()) || '.');
  revoke all on function add_operator from public;
  foreach caller in array callers loop
    execute format('grant execute on function add_operator to %s', caller::regrole);
  end loop;
end $migration$;
