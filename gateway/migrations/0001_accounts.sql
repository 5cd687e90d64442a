-- The customers that own messages, pay for them and are reported to.
create table accounts (
  id            integer generated always as identity primary key,
  client_id     text not null unique,
  name          text not null,
  -- PHC string of argon2id; the password itself is shown once, at creation.
  password_hash text not null,
  blocked       boolean not null default false,
  may_poll      boolean not null default true,
  -- Whether reports carry resCnt, the number of parts an international message was split into.
  part_counts   boolean not null default false,
  -- Raised to revoke every token of the account at once: a token carries the epoch it was issued in.
  token_epoch   integer not null default 1,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
