-- Data keys, each wrapped by a master key that only processes have. Values that are encrypted name their key by its id.
create table data_keys (
  id         integer primary key check (id between 1 and 65535),
  -- What it encrypts: 'secrets' are webhook secrets and options of routes.
  purpose    text not null,
  -- The master key, by a digest that does not reveal it.
  master_key text not null,
  wrapped    bytea not null,
  created_at timestamptz not null default now()
);
