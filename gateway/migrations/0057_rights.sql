-- Which database user wrote a row of the audit log, whatever its writer says. Rows from before have none, and their hash covers none.
alter table audit_log add column database_user text;

-- Functions with the rights of the owner of the tables, for what database users may not do themselves (`postern database roles` grants
-- them). Whoever may create a function, an operator or a temporary table must not be able to put it in the place of one that these
-- use: their path has neither the schema of the tables nor temporary tables before the catalog, and every table is named in full.
do $migration$
declare
  source text;
begin
  foreach source in array array[
    $f$ create or replace function HOME.audit_text(entry HOME.audit_log) returns text language sql stable
          set search_path = pg_catalog, pg_temp as $$
        select string_agg(coalesce(octet_length(field) || ':' || field, '-'), ',' order by place)
          from unnest(array[
            case when entry.database_user is null then 'postern-audit-1' else 'postern-audit-2' end,
            entry.seq::text, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            entry.actor, entry.role, entry.key_id, entry.source, entry.request_id, entry.action, entry.result, entry.target,
            entry.account, entry.reason, entry.details::text, encode(entry.previous_hash, 'hex')
          ] || case when entry.database_user is null then '{}'::text[] else array[entry.database_user] end)
          with ordinality as fields (field, place)
        $$ $f$,

    $f$ create or replace function HOME.audit_chain() returns trigger language plpgsql security definer
          set search_path = pg_catalog, pg_temp as $$
        declare
          tail HOME.audit_tail;
        begin
          select * into strict tail from HOME.audit_tail for update;
          new.seq := tail.seq + 1;
          new.at := date_trunc('milliseconds', clock_timestamp());
          new.database_user := session_user;
          new.previous_hash := tail.hash;
          new.hash := sha256(convert_to(HOME.audit_text(new), 'UTF8'));
          update HOME.audit_tail set seq = new.seq, hash = new.hash;
          return new;
        end
        $$ $f$,

    -- Changes of operators. The writer signs with the id and the hash of an operator's key, which database users cannot read.
    $f$ create function HOME.operator_key_matches(signing_key text, signing_hash text) returns boolean language sql stable
          security definer set search_path = pg_catalog, pg_temp as $$
        select exists (select from HOME.operator_keys where key_id = signing_key and hash = signing_hash)
        $$ $f$,

    -- The operator whose key it is; null for the owner of the tables, and while there are no operators. Others are refused.
    $f$ create function HOME.signing_operator(signing_key text, signing_hash text, admin boolean) returns HOME.operators
          language plpgsql set search_path = pg_catalog, pg_temp as $$
        declare
          found_operator HOME.operators;
        begin
          -- One change at a time, so that two of them do not disable the last two admins.
          lock table HOME.operators in share row exclusive mode;
          select o.* into found_operator from HOME.operator_keys k join HOME.operators o on o.id = k.operator_id
           where k.key_id = signing_key and k.hash = signing_hash and (k.ends_at is null or k.ends_at > now())
             and o.disabled_at is null and (not admin or (o.role = 'admin' and not k.initial));
          if found then return found_operator; end if;
          if not exists (select from HOME.operators) or pg_has_role(session_user,
               (select relowner from pg_class where oid = 'HOME.operators'::regclass), 'USAGE') then
            return null;
          end if;
          raise exception 'operators are changed with the key of an admin, or as the owner of the tables'
            using errcode = 'insufficient_privilege';
        end
        $$ $f$,

    -- With the first key. Null when the name is taken.
    $f$ create function HOME.add_operator(signing_key text, signing_hash text, new_name text, new_role text, writer text,
                                          new_key text, new_hash text, key_ends timestamptz) returns integer
          language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        declare
          signing HOME.operators := HOME.signing_operator(signing_key, signing_hash, true);
          new_id integer;
        begin
          if new_role <> 'admin' and not exists (select from HOME.operators) then
            raise exception 'the first operator must be an admin' using errcode = 'insufficient_privilege';
          end if;
          insert into HOME.operators (name, role, created_by) values (new_name, new_role, coalesce(signing.name, writer))
            on conflict (name) do nothing returning id into new_id;
          if new_id is not null then
            insert into HOME.operator_keys (key_id, operator_id, hash, initial, created_by, ends_at)
            values (new_key, new_id, new_hash, true, coalesce(signing.name, writer), key_ends);
          end if;
          return new_id;
        end
        $$ $f$,

    -- Null leaves what it is.
    $f$ create function HOME.change_operator(signing_key text, signing_hash text, changed integer, new_role text, disabled boolean)
          returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        begin
          perform HOME.signing_operator(signing_key, signing_hash, true);
          update HOME.operators set role = coalesce(new_role, role), disabled_at = case when disabled is null then disabled_at
                                                                                        when disabled then coalesce(disabled_at, now()) end
           where id = changed;
        end
        $$ $f$,

    -- A first key by an admin; any other by its operator, with a key that ends no earlier.
    $f$ create function HOME.add_operator_key(signing_key text, signing_hash text, new_key text, key_operator integer, new_hash text,
                                              is_initial boolean, writer text, key_ends timestamptz) returns void
          language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        declare
          signing HOME.operators := HOME.signing_operator(signing_key, signing_hash, is_initial);
        begin
          if not is_initial and (signing.id is distinct from key_operator or not exists (
               select from HOME.operator_keys k where k.key_id = signing_key and (k.ends_at is null or key_ends <= k.ends_at))) then
            raise exception 'a key that works is made by its operator, and ends when the former does or earlier'
              using errcode = 'insufficient_privilege';
          end if;
          insert into HOME.operator_keys (key_id, operator_id, hash, initial, created_by, ends_at)
          values (new_key, key_operator, new_hash, is_initial, coalesce(signing.name, writer), key_ends);
        end
        $$ $f$,

    -- By an admin, or by its operator. Erases the hash; false when there is no such key, or it was revoked before.
    $f$ create function HOME.revoke_operator_key(signing_key text, signing_hash text, revoked text) returns boolean
          language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        declare
          signing HOME.operators := HOME.signing_operator(signing_key, signing_hash, false);
        begin
          if signing.id is not null and not exists (
               select from HOME.operator_keys where key_id = revoked and operator_id = signing.id) then
            perform HOME.signing_operator(signing_key, signing_hash, true);
          end if;
          update HOME.operator_keys set hash = null, revoked_at = now() where key_id = revoked and revoked_at is null;
          return found;
        end
        $$ $f$,

    -- Partitions (gateway/src/records/partitions.ts, traffic/months.ts): workers create and drop them and own no table.
    -- Created separately and attached: attaching takes a weaker lock than CREATE … PARTITION OF, so intake continues.
    $f$ create function HOME.ensure_day(day text, parents text[]) returns void language plpgsql security definer
          set search_path = pg_catalog, pg_temp as $$
        declare
          parent text;
          next_day text := to_char(to_date(day, 'YYYYMMDD') + 1, 'YYYYMMDD');
        begin
          if day !~ '^[0-9]{8}$' then raise exception 'not a day: %', day; end if;
          perform pg_advisory_xact_lock(x'64617973'::int);
          foreach parent in array parents loop
            if parent not in ('messages', 'attempts', 'reports') then raise exception 'not partitioned by day: %', parent; end if;
            continue when to_regclass(format('HOME.%I', parent || '_' || day)) is not null;
            -- Each attempt is updated once, by its receipt: with free space on the page that is a HOT update.
            execute format('create table HOME.%I (like HOME.%I including all) with (fillfactor = %s)',
                           parent || '_' || day, parent, case parent when 'attempts' then 45 else 100 end);
            execute format('alter table HOME.%I attach partition HOME.%I for values from (%L) to (%L)',
                           parent, parent || '_' || day, day, next_day);
          end loop;
        end
        $$ $f$,

    -- It locks the whole table for some milliseconds. While it waits for that lock, everybody else waits behind it: it gives up
    -- soon with 55P03, and is called again.
    $f$ create function HOME.drop_day(day text, parent text) returns void language plpgsql security definer
          set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
        begin
          if day !~ '^[0-9]{8}$' or parent not in ('messages', 'attempts', 'reports') then
            raise exception 'not a partition: %_%', parent, day;
          end if;
          execute format('drop table if exists HOME.%I', parent || '_' || day);
        end
        $$ $f$,

    $f$ create function HOME.ensure_traffic_month(month text) returns void language plpgsql security definer
          set search_path = pg_catalog, pg_temp as $$
        declare
          name text := 'traffic_records_' || month;
          next_month text := to_char(to_date(month, 'YYYYMM') + interval '1 month', 'YYYYMM');
        begin
          if month !~ '^[0-9]{6}$' then raise exception 'not a month: %', month; end if;
          perform pg_advisory_xact_lock(x'74726166'::int);
          if to_regclass(format('HOME.%I', name)) is not null then return; end if;
          execute format('create table HOME.%I (like HOME.traffic_records including all)', name);
          execute format('with moved as (delete from HOME.traffic_records_default where msg_key >= %L and msg_key < %L returning *)
                            insert into HOME.%I select * from moved', month, next_month, name);
          execute format('alter table HOME.traffic_records attach partition HOME.%I for values from (%L) to (%L)',
                         name, month, next_month);
        end
        $$ $f$,

    $f$ create function HOME.drop_traffic_month(month text) returns void language plpgsql security definer
          set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
        begin
          if month !~ '^[0-9]{6}$' then raise exception 'not a month: %', month; end if;
          execute format('drop table if exists HOME.%I', 'traffic_records_' || month);
        end
        $$ $f$
  ] loop
    execute replace(source, 'HOME.', quote_ident(current_schema()) || '.');
  end loop;
end $migration$;

revoke all on function operator_key_matches, signing_operator, add_operator, change_operator, add_operator_key, revoke_operator_key,
  ensure_day, drop_day, ensure_traffic_month, drop_traffic_month from public;
