-- What an account proves itself with: its passwords and its keys. A change of a row reaches every API process within two
-- seconds. Rows stay after their end, for the operator's list; what could be attacked (hash) does not.
create table credentials (
  id integer generated always as identity primary key,
  account_id integer not null references accounts on delete cascade,
  -- Part of a key's text, and its name in the commands. The same in every cell that the account moves to.
  key_id text collate "C" not null unique check (key_id ~ '^[0-9A-Z]{12}$'),
  kind text not null check (kind in ('password', 'key')),
  -- Of a password the PHC string of argon2id, of a key its SHA-256 in hexadecimal. Null once it was revoked.
  hash text,
  -- What the operator called it.
  name text not null default '',
  -- Null: every scope.
  scopes text[],
  -- Networks in CIDR notation that it may be used from. Null: every network.
  networks text[],
  created_by text not null,
  created_at timestamptz not null default now(),
  -- Its expiry, or the end of its overlap with replaced_by.
  ends_at timestamptz,
  revoked_at timestamptz,
  -- The key_id of its successor.
  replaced_by text,
  -- The password that the account was created with. Its tokens have the first layout, which names no credential, so that
  -- processes of an older version accept them.
  original boolean not null default false,
  check (hash is not null or revoked_at is not null)
);
create index credentials_account_id_idx on credentials (account_id);

-- Apart from the credentials: every change there makes all processes read them again.
create table credential_uses (
  credential_id integer primary key,
  used_at timestamptz not null,
  address text not null
);

insert into credentials (account_id, key_id, kind, hash, created_by, created_at, original)
select id, upper(left(replace(gen_random_uuid()::text, '-', ''), 12)), 'password', password_hash, 'migration', created_at, true
  from accounts;

-- accounts.password_hash stays for processes of an older version: they read it, and create accounts with it.
create function add_password_credential() returns trigger language plpgsql as $$
begin
  if not exists (select from credentials where account_id = new.id and kind = 'password' and hash = new.password_hash) then
    insert into credentials (account_id, key_id, kind, hash, created_by, original)
    values (new.id, upper(left(replace(gen_random_uuid()::text, '-', ''), 12)), 'password', new.password_hash,
            'account create', true);
  end if;
  return null;
end $$;
create trigger add_password_credential after insert or update of password_hash on accounts
  for each row execute function add_password_credential();
