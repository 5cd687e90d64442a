-- Whom a route serves, and when another is better.
alter table routes
  -- An empty list means all: accounts, numbers by their first digits (010, +81), carriers of the recipient.
  add column account_ids            integer[] not null default '{}',
  add column prefixes               text[] not null default '{}',
  add column carriers               text[] not null default '{}',
  -- Its share of the messages among routes of the same priority.
  add column weight                 integer not null default 1 check (weight between 1 and 1000),
  -- Below it the next route is preferred; null: however little it delivers.
  add column min_delivery_rate      real check (min_delivery_rate > 0 and min_delivery_rate <= 1),
  -- How long its messages wait for it before they look for another route.
  add column failover_after_seconds integer not null default 3 check (failover_after_seconds between 0 and 86400),
  -- What becomes at the deadline of a step that was perhaps submitted.
  add column unknown_policy         text not null default 'fail' check (unknown_policy in ('fail', 'resend'));

-- Which carrier a number belongs to: the longest prefix decides. Imported as a whole by the operator.
create table number_ranges (
  prefix  text collate "C" primary key check (prefix ~ '^(0|\+[1-9])[0-9]*$'),
  carrier text not null
);

-- What became of the messages of each route, by the minute in which it was heard. Appended, and folded by a worker.
create table route_results (
  route_id  text not null,
  minute    timestamptz not null,
  delivered integer not null,
  failed    integer not null
);

create index route_results_minute on route_results (minute, route_id);
