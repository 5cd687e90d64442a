-- The record of what was accepted. Never updated; a day's partition is dropped when it is past retention.
create table messages (
  msg_key     text collate "C" primary key,
  account_id  integer not null,
  recipient   text not null,
  flow        json not null,
  ref         text,
  accepted_at timestamptz not null
) partition by range (msg_key);

-- What is not closed yet: small, hot, one row a message, deleted in the transaction that writes its reports.
-- `due_at` is the deadline of the current step and does not change while the step runs, so that moving
-- `state` is a HOT update.
create table in_flight (
  msg_key    text collate "C" primary key,
  account_id integer not null,
  channel    text not null,
  msg_type   text not null,
  step       smallint not null,
  -- How many steps its flow has.
  steps      smallint not null,
  try        smallint not null,
  state      text not null check (state in ('released', 'submitting')),
  due_at     timestamptz not null,
  ref        text,
  -- How the steps before the current one ended; null while the first one runs.
  results    json
) with (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);

create index in_flight_due on in_flight (due_at);

-- Steps started by settle whose job is not in their route's queue yet: written with the step, deleted when the
-- broker has confirmed the job, so that a crash in between loses no step.
create table releases (
  msg_key    text collate "C" primary key,
  step       smallint not null,
  created_at timestamptz not null default now()
);

-- One row per part handed to a carrier: what it answered, and later its receipt.
create table attempts (
  msg_key       text collate "C" not null,
  step          smallint not null,
  try           smallint not null,
  part          smallint not null,
  parts         smallint not null,
  route_id      text not null,
  -- The last eight digits: enough to tell recipients apart, the same in every spelling of a number.
  recipient     text not null,
  outcome       text not null check (outcome in ('accepted', 'refused', 'unknown')),
  -- Lower case, no leading zeros: the form in which ids are compared.
  carrier_id    text,
  -- The carrier's own code for a refusal or an unknown outcome.
  outcome_code  text,
  submitted_at  timestamptz not null,
  result        text check (result in ('delivered', 'failed')),
  cause         text,
  receipt_code  text,
  -- When the carrier says it happened, and when we heard of it.
  result_at     timestamptz,
  received_at   timestamptz,
  -- How many final receipts came for this part; above 1 the carrier repeated itself.
  receipts      smallint not null default 0,
  primary key (msg_key, step, try, part)
) partition by range (msg_key);

create index attempts_carrier_id on attempts (carrier_id) where carrier_id is not null;
-- A receipt for a submission whose answer was lost can only be matched by its recipient.
create index attempts_unknown on attempts (recipient, route_id) where outcome = 'unknown';

-- Receipts that matched nothing yet. They are tried again, never dropped before their time.
create table orphan_receipts (
  id          bigint generated always as identity primary key,
  route_id    text not null,
  receipt     json not null,
  received_at timestamptz not null,
  tries       integer not null default 0,
  retry_at    timestamptz not null
);

create index orphan_receipts_retry on orphan_receipts (retry_at);
