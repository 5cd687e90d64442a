-- A credential loses its hash also when it ends, not only when it is revoked. The check allows what a worker erases.
alter table credentials drop constraint credentials_check;
alter table credentials add constraint credentials_check
  check (hash is not null or revoked_at is not null or ends_at is not null);
create index credentials_ends_at_idx on credentials (ends_at) where hash is not null and ends_at is not null;

-- Changes with every change of credentials: processes compare it each second instead of reading all rows, which are kept
-- for years. Random, not counted: after a failover that lost a commit a number could be given twice.
create table credentials_version (
  single boolean primary key default true check (single),
  version uuid not null default gen_random_uuid()
);
insert into credentials_version default values;
create function change_credentials_version() returns trigger language plpgsql as $$
begin
  update credentials_version set version = gen_random_uuid();
  return null;
end $$;
create trigger change_credentials_version after insert or update or delete or truncate on credentials
  for each statement execute function change_credentials_version();

-- accounts.password_hash of an account without a usable password has the salt of zeros (`unusablePasswordHash`): processes
-- of an older version compare passwords with it, and none fits. It is no credential.
create or replace function add_password_credential() returns trigger language plpgsql as $$
begin
  if new.password_hash not like '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$%'
     and not exists (select from credentials where account_id = new.id and kind = 'password' and hash = new.password_hash) then
    insert into credentials (account_id, key_id, kind, hash, created_by, original)
    values (new.id, upper(left(replace(gen_random_uuid()::text, '-', ''), 12)), 'password', new.password_hash,
            'account create', true);
  end if;
  return null;
end $$;

-- The key id of the credential that set the URL through the API; null: an operator, or a version before this one.
alter table webhooks add column url_set_by text;
