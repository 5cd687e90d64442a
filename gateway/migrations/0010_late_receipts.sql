-- A receipt that came after its step had ended: kept, counted, shown, and without effect on the outcome.
alter table attempts add column late boolean not null default false;
-- The recipient has this step's message and perhaps another one's too: an earlier step was delivered after a later
-- one had been submitted. Set on the attempt whose receipt told so.
alter table attempts add column doubled boolean not null default false;

-- What no stage could process, moved here from the broker's queue so that an operator can look at each, try it
-- again or drop it.
create table parked (
  id        bigint generated always as identity primary key,
  -- Of stage and payload: a repeated delivery of the same job adds nothing.
  digest    text not null unique,
  stage     text not null check (stage in ('intake', 'dispatch', 'settle', 'unreadable')),
  msg_key   text collate "C",
  -- Without anything the client wrote.
  reason    text,
  -- Bytes, because what lies here may be what PostgreSQL could not hold as text.
  payload   bytea not null,
  -- How often it was parked: one that is parked again while it is being tried again must stay.
  times     integer not null default 1,
  parked_at timestamptz not null default now()
);

create index parked_msg_key on parked (msg_key) where msg_key is not null;

-- The last check of the ledger, one row: every worker shows it, whoever made it.
create table ledger_checks (
  id         boolean primary key default true check (id),
  checked_at timestamptz not null,
  gap        bigint not null,
  -- How many checks running have found a gap.
  running    integer not null,
  took_ms    integer not null
);
