-- Where messages of a channel may go: one carrier link each.
create table routes (
  id               text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  channels         text[] not null,
  protocol         text not null,
  -- Validated against the protocol's schema. A string "env:NAME" is read from the environment, so that a
  -- carrier's password need not be stored here.
  options          jsonb not null,
  -- Lower is tried first.
  priority         integer not null default 100,
  -- 0 means as fast as the carrier's window allows.
  parts_per_second integer not null default 0 check (parts_per_second >= 0),
  enabled          boolean not null default true,
  updated_at       timestamptz not null default now()
);
