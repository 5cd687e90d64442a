-- What processes may do with credentials, versions of rules and partitions, as functions with the rights of the owner of the tables that
-- do just that (`postern database roles` grants them). As in 0057 their path has neither the schema of the tables nor temporary tables
-- before the catalog; so must that of the triggers they fire.
do $migration$
declare
  source text;
begin
  foreach source in array array[
    $f$ create or replace function HOME.change_credentials_version() returns trigger language plpgsql
          set search_path = pg_catalog, pg_temp as $$
        begin
          update HOME.credentials_version set version = gen_random_uuid();
          return null;
        end
        $$ $f$,

    $f$ create or replace function HOME.add_password_credential() returns trigger language plpgsql
          set search_path = pg_catalog, pg_temp as $$
        begin
          if new.password_hash not like '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$%'
             and not exists (select from HOME.credentials
                              where account_id = new.id and kind = 'password' and hash = new.password_hash) then
            insert into HOME.credentials (account_id, key_id, kind, hash, created_by, original)
            values (new.id, upper(left(replace(gen_random_uuid()::text, '-', ''), 12)), 'password', new.password_hash,
                    'account create', true);
          end if;
          return null;
        end
        $$ $f$,

    -- Erases the hashes of credentials that have ended, and of accounts.password_hash what is no usable password any more. Locks the
    -- accounts first, as commands do, and leaves those that a command has locked for the next round: to wait for one would keep every
    -- change of a credential waiting for the version.
    $f$ create function HOME.erase_ended_credentials() returns void language plpgsql security definer
          set search_path = pg_catalog, pg_temp as $$
        declare
          ended integer[];
        begin
          select array_agg(found.id) into ended from (
            select c.id from HOME.credentials c join HOME.accounts a on a.id = c.account_id
             where c.hash is not null and c.ends_at <= now() order by c.id limit 1000 for no key update of a skip locked) found;
          -- Without this, each round would change the version, and every process would read all credentials again.
          if ended is null then return; end if;
          update HOME.credentials set hash = null where id = any (ended) and ends_at <= now();
          update HOME.accounts a set password_hash = newest.hash, updated_at = now()
            from (select distinct account_id from HOME.credentials where id = any (ended) and kind = 'password' and hash is null) lost
            cross join lateral (
              select coalesce(
                (select c.hash from HOME.credentials c
                  where c.account_id = lost.account_id and c.kind = 'password' and c.hash is not null and c.revoked_at is null
                    and (c.ends_at is null or c.ends_at > now()) order by c.id desc limit 1),
                '$argon2id$v=19$m=19456,t=2,p=1$' || repeat('A', 22) || '$' || repeat('A', 43)) as hash) newest
           where a.id = lost.account_id and a.password_hash <> newest.hash;
        end
        $$ $f$,

    -- Opt-outs come through the API and from carriers; every other group of rules is changed by commands alone.
    $f$ create function HOME.raise_suppression_version() returns bigint language sql security definer
          set search_path = pg_catalog, pg_temp as $$
        update HOME.trust_versions set version = version + 1, mark = gen_random_uuid() where topic = 'suppression' returning version
        $$ $f$,

    $f$ create function HOME.owns_tables() returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
        select pg_has_role(session_user, (select relowner from pg_class where oid = 'HOME.messages'::regclass), 'USAGE')
        $$ $f$,

    -- Users other than the owner drop no day that is not past under any retention, and none with an open message: a flow takes 42 days
    -- at most. It locks the whole table for some milliseconds. While it waits for that lock, everybody else waits behind it: it gives up
    -- soon with 55P03, and is called again.
    $f$ create or replace function HOME.drop_day(day text, parent text) returns void language plpgsql security definer
          set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
        declare
          today date := (now() at time zone 'UTC')::date;
        begin
          if day !~ '^[0-9]{8}$' or parent not in ('messages', 'attempts', 'reports') then
            raise exception 'not a partition: %_%', parent, day;
          end if;
          if not HOME.owns_tables() and (day >= to_char(today - 1, 'YYYYMMDD') or day >= to_char(today - 42, 'YYYYMMDD') and exists (
               select from HOME.in_flight where msg_key >= day and msg_key < to_char(to_date(day, 'YYYYMMDD') + 1, 'YYYYMMDD'))) then
            raise exception 'the day % is not past, or has open messages', day using errcode = 'insufficient_privilege';
          end if;
          execute format('drop table if exists HOME.%I', parent || '_' || day);
        end
        $$ $f$,

    -- Users other than the owner drop no month that is not past.
    $f$ create or replace function HOME.drop_traffic_month(month text) returns void language plpgsql security definer
          set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
        begin
          if month !~ '^[0-9]{6}$' then raise exception 'not a month: %', month; end if;
          if not HOME.owns_tables() and month >= to_char(now() at time zone 'UTC', 'YYYYMM') then
            raise exception 'the month % is not past', month using errcode = 'insufficient_privilege';
          end if;
          execute format('drop table if exists HOME.%I', 'traffic_records_' || month);
        end
        $$ $f$
  ] loop
    execute replace(source, 'HOME.', quote_ident(current_schema()) || '.');
  end loop;
end $migration$;

revoke all on function erase_ended_credentials, raise_suppression_version, owns_tables from public;
