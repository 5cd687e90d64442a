-- Workers that run, and which of them owns each partition of the routes. A partition belongs to its worker while the worker
-- renews its row in `workers`.
create table workers (
  id text primary key,
  host text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- False while the worker takes no partitions: it is stopping, or cut off from the broker.
  available boolean not null default true
);

create table dispatch_partitions (
  partition smallint primary key,
  worker text,
  since timestamptz not null default now()
);
