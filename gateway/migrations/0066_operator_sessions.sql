-- Sign-in of operators with a browser: a password with a second factor, or an OpenID provider, and the sessions that follow.

-- Of an operator who signs in with an OpenID provider: who vouches for the person, and the provider's id of the person. Such an operator
-- has no key and no password.
alter table operators add column issuer text, add column subject text;
alter table operators add constraint operators_subject unique (issuer, subject);
alter table operators add constraint operators_provider check ((issuer is null) = (subject is null));

create table operator_logins (
  operator_id      int primary key references operators (id),
  -- argon2id in the PHC string format.
  password_hash    text not null,
  -- Made by somebody else: its operator replaces it at the first sign-in.
  password_initial boolean not null,
  password_at      timestamptz not null default now(),
  -- Set with a key, or replaces one that was: it must not outlive the keys of the operator.
  password_by_key  boolean not null default false,
  -- In base32, encrypted with a master key. Only offered as long as totp_at is null.
  totp_secret      text,
  totp_at          timestamptz,
  -- Of the last code that was used: a code counts once.
  totp_step        bigint not null default 0,
  -- Wrong codes with the right password since the last session began, counted for all processes.
  wrong_codes      int not null default 0,
  -- The last networks that the operator has signed in from: wrong tries of others do not delay those.
  networks         text[] not null default '{}'
);

create table operator_recovery_codes (
  operator_id int not null references operator_logins (operator_id),
  -- SHA-256 in hexadecimal digits. The row is deleted when the code is used.
  hash        text not null,
  primary key (operator_id, hash)
);

create table operator_sessions (
  id          text primary key,
  -- SHA-256 of the cookie in hexadecimal digits.
  hash        text not null unique,
  operator_id int not null references operators (id),
  method      text not null check (method in ('password', 'oidc')),
  address     text not null,
  agent       text not null,
  created_at  timestamptz not null default now(),
  used_at     timestamptz not null default now(),
  ends_at     timestamptz not null
);
create index operator_sessions_operator on operator_sessions (operator_id, created_at);

-- Functions with the rights of the owner of the tables (`postern database roles` grants them). A database user for commands may neither
-- read the hash of a password nor set one, nor begin a session, without proof: the key of an operator, or the hash of the password. As in
-- 0057 their path has neither the schema of the tables nor temporary tables before the catalog.
do $migration$
declare
  source text;
begin
  foreach source in array array[
    -- A session that is ended by it does not come back when the operator is enabled again.
    $f$ create or replace function HOME.change_operator(signing_key text, signing_hash text, changed integer, new_role text, disabled boolean)
          returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        begin
          perform HOME.signing_operator(signing_key, signing_hash, true);
          update HOME.operators set role = coalesce(new_role, role), disabled_at = case when disabled is null then disabled_at
                                                                                        when disabled then coalesce(disabled_at, now()) end
           where id = changed;
          if disabled then delete from HOME.operator_sessions where operator_id = changed; end if;
        end
        $$ $f$,

    $f$ create or replace function HOME.add_operator_key(signing_key text, signing_hash text, new_key text, key_operator integer, new_hash text,
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
          -- The role of such an operator is what the provider says: a key would outlive the person's account there.
          if exists (select from HOME.operators where id = key_operator and issuer is not null) then
            raise exception 'an operator of an OpenID provider has no key' using errcode = 'insufficient_privilege';
          end if;
          insert into HOME.operator_keys (key_id, operator_id, hash, initial, created_by, ends_at)
          values (new_key, key_operator, new_hash, is_initial, coalesce(signing.name, writer), key_ends);
        end
        $$ $f$,

    -- By an admin, or by its operator. Erases the hash; false when there is no such key, or it was revoked before. A key that signs its own
    -- revocation was replaced by its operator. Any other may be in wrong hands: what was begun with it ends, too.
    $f$ create or replace function HOME.revoke_operator_key(signing_key text, signing_hash text, revoked text) returns boolean
          language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        declare
          signing HOME.operators := HOME.signing_operator(signing_key, signing_hash, false);
          key_operator integer;
        begin
          if signing.id is not null and not exists (
               select from HOME.operator_keys where key_id = revoked and operator_id = signing.id) then
            perform HOME.signing_operator(signing_key, signing_hash, true);
          end if;
          update HOME.operator_keys set hash = null, revoked_at = now() where key_id = revoked and revoked_at is null
            returning operator_id into key_operator;
          if not found then return false; end if;
          if revoked is distinct from signing_key then
            delete from HOME.operator_sessions where operator_id = key_operator;
            delete from HOME.operator_recovery_codes c using HOME.operator_logins l
             where c.operator_id = key_operator and l.operator_id = key_operator and l.password_by_key;
            delete from HOME.operator_logins where operator_id = key_operator and password_by_key;
          end if;
          return true;
        end
        $$ $f$,

    -- A first password by an admin; any other by its operator, with a key that does not end. Ends the sessions of the operator.
    $f$ create function HOME.set_operator_password(signing_key text, signing_hash text, changed integer, new_hash text, is_initial boolean)
          returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        declare
          signing HOME.operators := HOME.signing_operator(signing_key, signing_hash, is_initial);
        begin
          if not is_initial and signing.id is distinct from changed then
            raise exception 'a password that is not a first one is set by its operator' using errcode = 'insufficient_privilege';
          end if;
          if not is_initial and exists (select from HOME.operator_keys where key_id = signing_key and ends_at is not null) then
            raise exception 'a password would outlive the key, which ends; an admin gives a first password'
              using errcode = 'insufficient_privilege';
          end if;
          if exists (select from HOME.operators where id = changed and issuer is not null) then
            raise exception 'an operator of an OpenID provider has no password' using errcode = 'insufficient_privilege';
          end if;
          insert into HOME.operator_logins (operator_id, password_hash, password_initial, password_by_key)
          values (changed, new_hash, is_initial, not is_initial)
            on conflict (operator_id) do update
              set password_hash = new_hash, password_initial = is_initial, password_by_key = not is_initial, password_at = now();
          delete from HOME.operator_sessions where operator_id = changed;
        end
        $$ $f$,

    -- By an admin: the operator enrols again at the next sign-in. False when nothing was enrolled.
    $f$ create function HOME.reset_operator_totp(signing_key text, signing_hash text, changed integer) returns boolean
          language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        declare
          enrolled boolean;
        begin
          perform HOME.signing_operator(signing_key, signing_hash, true);
          select totp_at is not null into enrolled from HOME.operator_logins where operator_id = changed for update;
          update HOME.operator_logins set totp_secret = null, totp_at = null, totp_step = 0, wrong_codes = 0
           where operator_id = changed;
          delete from HOME.operator_recovery_codes where operator_id = changed;
          delete from HOME.operator_sessions where operator_id = changed;
          return coalesce(enrolled, false);
        end
        $$ $f$,

    -- What the hash of a password is computed with, and from where the operator has signed in. No row when nobody can sign in so.
    $f$ create function HOME.operator_password_salt(operator_name text, out salt text, out networks text[]) returns setof record
          language sql stable security definer set search_path = pg_catalog, pg_temp as $$
        select regexp_replace(l.password_hash, '[^$]*$', ''), l.networks
          from HOME.operators o join HOME.operator_logins l on l.operator_id = o.id
         where o.name = operator_name and o.disabled_at is null and o.issuer is null
        $$ $f$,

    $f$ create function HOME.read_operator_login(operator_name text, given_hash text, recovery_hash text, out operator_id integer,
                                                 out role text, out initial boolean, out totp_secret text, out enrolled boolean,
                                                 out totp_step bigint, out wrong_codes integer, out recovery_known boolean)
          returns setof record language sql stable security definer set search_path = pg_catalog, pg_temp as $$
        select o.id, o.role, l.password_initial, l.totp_secret, l.totp_at is not null, l.totp_step, l.wrong_codes,
               exists (select from HOME.operator_recovery_codes c where c.operator_id = o.id and c.hash = recovery_hash)
          from HOME.operators o join HOME.operator_logins l on l.operator_id = o.id
         where o.name = operator_name and o.disabled_at is null and o.issuer is null and l.password_hash = given_hash
        $$ $f$,

    -- Only with the right password: nobody else can make an operator need a recovery code.
    $f$ create function HOME.count_wrong_code(operator_name text, given_hash text) returns void
          language sql security definer set search_path = pg_catalog, pg_temp as $$
        update HOME.operator_logins l set wrong_codes = l.wrong_codes + 1 from HOME.operators o
         where o.id = l.operator_id and o.name = operator_name and o.disabled_at is null and o.issuer is null
           and l.password_hash = given_hash and l.totp_at is not null and l.wrong_codes < 1000000
        $$ $f$,

    -- Offers a secret to an operator who has none. The last one that was offered can be confirmed.
    $f$ create function HOME.offer_operator_totp(operator_name text, given_hash text, new_secret text) returns boolean
          language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        begin
          update HOME.operator_logins l set totp_secret = new_secret from HOME.operators o
           where o.id = l.operator_id and o.name = operator_name and o.disabled_at is null and o.issuer is null
             and l.password_hash = given_hash and l.totp_at is null;
          return found;
        end
        $$ $f$,

    -- For the re-encryption of secrets: a value that is encrypted already decides nothing without the key of the installation.
    $f$ create function HOME.replace_totp_secret(changed integer, former text, new_secret text) returns boolean
          language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        begin
          if not starts_with(new_secret, 'enc:') then
            raise exception 'the secret must be encrypted' using errcode = 'insufficient_privilege';
          end if;
          update HOME.operator_logins set totp_secret = new_secret where operator_id = changed and totp_secret = former;
          return found;
        end
        $$ $f$,

    -- Not for users. An operator has 20 sessions at most; the oldest end.
    $f$ create function HOME.add_operator_session(new_operator integer, new_method text, new_id text, new_hash text, seconds integer,
                                                  new_address text, new_agent text) returns void
          language plpgsql set search_path = pg_catalog, pg_temp as $$
        begin
          delete from HOME.operator_sessions where ends_at <= now();
          delete from HOME.operator_sessions where operator_id = new_operator and id not in (
            select id from HOME.operator_sessions where operator_id = new_operator order by created_at desc, id limit 19);
          insert into HOME.operator_sessions (id, hash, operator_id, method, address, agent, ends_at)
          values (new_id, new_hash, new_operator, new_method, left(new_address, 64), left(new_agent, 200),
                  now() + make_interval(secs => least(seconds, 2592000)));
        end
        $$ $f$,

    -- With the step of a code, or the hash of a recovery code, which counts once. The first code confirms the secret that was offered,
    -- and needs the hashes of recovery codes. After 30 wrong codes only a recovery code counts. False when one of them does not count, or a new password is needed.
    $f$ create function HOME.start_operator_session(operator_name text, given_hash text, new_hash text, step bigint, checked_secret text,
                                                    recovery_hash text, recovery_hashes text[], network text, session_id text, session_hash text,
                                                    seconds integer, session_address text, session_agent text) returns boolean
          language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        declare
          login HOME.operator_logins;
        begin
          select l.* into login from HOME.operators o join HOME.operator_logins l on l.operator_id = o.id
           where o.name = operator_name and o.disabled_at is null and o.issuer is null and l.password_hash = given_hash
             for update of l for share of o;
          if not found or login.totp_secret is null or (login.password_initial and new_hash is null) then return false; end if;
          if step is not null then
            if step <= login.totp_step or login.totp_secret is distinct from checked_secret or login.wrong_codes >= 30
               or (login.totp_at is null and coalesce(cardinality(recovery_hashes), 0) not between 1 and 20) then
              return false;
            end if;
          else
            if login.totp_at is null or recovery_hash is null then return false; end if;
            delete from HOME.operator_recovery_codes where operator_id = login.operator_id and hash = recovery_hash;
            if not found then return false; end if;
          end if;
          if login.totp_at is null then
            delete from HOME.operator_recovery_codes where operator_id = login.operator_id;
            insert into HOME.operator_recovery_codes (operator_id, hash) select login.operator_id, unnest(recovery_hashes);
          end if;
          update HOME.operator_logins
             set totp_step = coalesce(step, totp_step), totp_at = coalesce(totp_at, now()), password_initial = false, wrong_codes = 0,
                 password_hash = coalesce(new_hash, password_hash),
                 password_at = case when new_hash is null then password_at else now() end,
                 networks = (array[left(network, 64)] || array_remove(networks, left(network, 64)))[1:8]
           where operator_id = login.operator_id;
          if new_hash is not null then delete from HOME.operator_sessions where operator_id = login.operator_id; end if;
          perform HOME.add_operator_session(login.operator_id, 'password', session_id, session_hash, seconds, session_address, session_agent);
          return true;
        end
        $$ $f$,

    -- Of a person for whom an OpenID provider vouches. The operator is made at the first sign-in; the role is what the provider says.
    $f$ create function HOME.start_provider_session(provider text, person text, new_name text, new_role text, session_id text,
                                                    session_hash text, seconds integer, session_address text, session_agent text,
                                                    out outcome text, out operator_name text, out former_role text)
          language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        declare
          known HOME.operators;
        begin
          lock table HOME.operators in share row exclusive mode;
          if not exists (select from HOME.operators) then outcome := 'no operators'; return; end if;
          select * into known from HOME.operators where issuer = provider and subject = person;
          if not found then
            if exists (select from HOME.operators where name = new_name) then outcome := 'name taken'; return; end if;
            insert into HOME.operators (name, role, created_by, issuer, subject) values (new_name, new_role, 'oidc', provider, person)
              returning * into known;
          else
            former_role := known.role;
            if known.disabled_at is not null then outcome := 'disabled'; operator_name := known.name; return; end if;
            update HOME.operators set role = new_role where id = known.id and role <> new_role;
          end if;
          perform HOME.add_operator_session(known.id, 'oidc', session_id, session_hash, seconds, session_address, session_agent);
          outcome := 'started';
          operator_name := known.name;
        end
        $$ $f$,

    -- Of a person to whom the provider gives no role any longer. The name is null when the person is no operator.
    $f$ create function HOME.end_provider_sessions(provider text, person text, out operator_name text, out ended integer)
          language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        declare
          known HOME.operators;
        begin
          select * into known from HOME.operators where issuer = provider and subject = person;
          delete from HOME.operator_sessions where operator_id = known.id;
          get diagnostics ended = row_count;
          operator_name := known.name;
        end
        $$ $f$
  ] loop
    execute replace(source, 'HOME.', quote_ident(current_schema()) || '.');
  end loop;
end $migration$;

revoke all on function set_operator_password, reset_operator_totp, operator_password_salt, read_operator_login, offer_operator_totp,
  replace_totp_secret, add_operator_session, start_operator_session, start_provider_session,
  end_provider_sessions, count_wrong_code from public;
