-- People who run commands. Without a row, commands run as the user of the system and have every right.
create table operators (
  id          int primary key generated always as identity,
  name        text not null unique,
  role        text not null check (role in ('viewer', 'support', 'operator', 'admin')),
  created_at  timestamptz not null default now(),
  created_by  text not null,
  disabled_at timestamptz
);

create table operator_keys (
  key_id      text primary key,
  operator_id int not null references operators (id),
  -- SHA-256 in hexadecimal digits; null when it was revoked.
  hash        text,
  -- Made by somebody else: its operator replaces it before anything else.
  initial     boolean not null,
  created_at  timestamptz not null default now(),
  created_by  text not null,
  ends_at     timestamptz,
  revoked_at  timestamptz,
  check ((hash is null) = (revoked_at is not null))
);
create index operator_keys_operator on operator_keys (operator_id);
