-- Steps that wait for their turn: behind their account's fair share, until a time, or because whoever started them
-- still owes them to their route's queue. A row goes after the broker has confirmed its job, so that a crash in
-- between repeats a release and never loses one; a claim keeps the repeated job from being submitted twice.
create table waiting (
  msg_key    text collate "C" primary key,
  step       smallint not null,
  try        smallint not null,
  account_id integer not null,
  -- Empty while no route is chosen.
  route_id   text collate "C" not null,
  -- Why that route.
  route_why  text,
  lane       text collate "C" not null check (lane in ('urgent', 'normal', 'bulk')),
  parts      smallint not null,
  -- Submissions that surely came to nothing so far.
  tries      smallint not null default 0,
  release_at timestamptz not null,
  why        text not null check (why in ('owed', 'backlog', 'scheduled', 'retry', 'moved')),
  created_at timestamptz not null default now()
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);

-- One account's turn is one range of this index, and the next account is one step further.
create index waiting_turn on waiting (route_id, lane, account_id, release_at);


-- How each route is doing, told by the process that owns it. Rewritten several times a second and worth nothing
-- after a crash, so it is not logged.
create unlogged table route_states (
  route_id        text primary key,
  owner           text not null,
  linked          boolean not null,
  -- Parts that may be released to each lane now without waiting.
  urgent_room     integer not null,
  normal_room     integer not null,
  bulk_room       integer not null,
  -- Parts a second that the carrier lets us send, as learned; null while nothing bounds it.
  rate            real,
  breaker         text not null default 'closed' check (breaker in ('closed', 'open', 'half-open')),
  throttled_share real not null default 0,
  delivery_rate   real,
  seen_at         timestamptz not null
) with (fillfactor = 50);

-- What a message's story tells of each attempt: why this route, and whether and why it waited before.
alter table attempts add column route_why text;
alter table attempts add column held_why text;
alter table attempts add column held_ms integer;

-- The client's billing department.
alter table messages add column payment_code text;

-- An account's usual lane (null: by the kind of message) and its share of a route when others wait too.
alter table accounts add column lane text check (lane in ('urgent', 'normal', 'bulk'));
alter table accounts add column weight smallint not null default 1 check (weight between 1 and 100);

insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, why)
select r.msg_key, r.step, f.try, f.account_id, '', 'normal', 1, now(), 'owed'
  from releases r join in_flight f on f.msg_key = r.msg_key and f.step = r.step;
drop table releases;
