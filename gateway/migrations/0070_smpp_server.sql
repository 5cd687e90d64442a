-- Clients that speak SMPP (docs/smpp-server.md).
alter table accounts
  -- How many binds it may have at a time, over all processes. 0: it may not use SMPP.
  add column smpp_binds smallint not null default 0 check (smpp_binds between 0 and 100),
  -- What it binds with, where that is not its client id.
  add column smpp_system_id text collate "C" unique check (smpp_system_id ~ '^[A-Za-z0-9._-]{1,15}$'),
  -- Whether what recipients write is delivered to its binds.
  add column smpp_replies boolean not null default false;

-- A password for SMPP alone: the protocol has eight characters for one.
alter table credentials drop constraint credentials_kind_check;
alter table credentials add constraint credentials_kind_check check (kind in ('password', 'key', 'smpp'));

-- The processes that serve SMPP. One without a heartbeat for some seconds has ended, and its binds do not count.
create table smpp_servers (
  id      text primary key,
  seen_at timestamptz not null,
  -- Where it runs, so that a process of the same machine can tell for certain that it has ended. Null: not known.
  machine text,
  pid     integer
);

create table smpp_binds (
  id         text primary key,
  server     text not null,
  account_id integer not null,
  kind       text not null check (kind in ('transmitter', 'receiver', 'transceiver')),
  address    text not null,
  bound_at   timestamptz not null default now()
);
create index smpp_binds_account on smpp_binds (account_id);
create index smpp_binds_server on smpp_binds (server);

-- Which process delivers the receipts or the replies of an account: one of those that have a bind for them.
create table smpp_deliverers (
  account_id integer not null,
  kind       text not null check (kind in ('receipt', 'reply')),
  server     text not null,
  primary key (account_id, kind)
);

-- Long messages whose parts have not all arrived or that are being accepted; for half a minute those that were accepted, for parts
-- that come twice.
create table smpp_series (
  -- That the message gets.
  msg_key    text collate "C" primary key,
  -- Keyed hash of account, addresses, reference and number of parts. Null: the next message with the same reference has begun.
  series     bytea unique,
  account_id integer not null,
  parts      smallint not null,
  last_at    timestamptz not null default now(),
  -- complete: it has all parts, and may have been accepted. closed: it was accepted.
  state      text not null default 'open' check (state in ('open', 'complete', 'closed'))
) with (fillfactor = 70);
create index smpp_series_age on smpp_series (state, last_at);

create table smpp_parts (
  msg_key    text collate "C" not null references smpp_series on delete cascade,
  part       smallint not null,
  -- Keyed hash of the part, to recognize it when it comes again.
  digest     bytea not null,
  -- The part as JSON, in one of two forms.
  content    text,
  sealed     bytea,
  registered smallint not null,
  -- It came again after the message was accepted: it is a repetition, or a part of the next message with the same reference.
  seen_again boolean not null default false,
  primary key (msg_key, part)
);

-- Receipts beside the reports: of parts that were answered and whose message was not accepted, and those that a client refused.
create table smpp_receipts (
  id         bigint generated always as identity primary key,
  account_id integer not null,
  message_id text not null,
  -- How the message was submitted, as in its reports.
  ref        text not null,
  state      smallint not null,
  error      text not null,
  sent_at    timestamptz not null,
  done_at    timestamptz not null,
  tries      integer not null default 0,
  due_at     timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index smpp_receipts_due on smpp_receipts (account_id, due_at);
create index smpp_receipts_age on smpp_receipts (created_at);
