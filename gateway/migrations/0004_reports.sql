-- What the account is told: one record per step tried, written together when the message closes.
create table reports (
  msg_key      text collate "C" not null,
  step         smallint not null,
  account_id   integer not null,
  -- Per account, without gaps, in commit order: see report_heads.
  seq          bigint not null,
  service_type text not null,
  msg_type     text not null,
  sent_at      timestamptz not null,
  reported_at  timestamptz not null,
  report_code  text not null,
  report_text  text not null,
  carrier      text not null,
  parts        smallint not null,
  ref          text,
  created_at   timestamptz not null default now(),
  primary key (msg_key, step)
) partition by range (msg_key);

create index reports_polling on reports (account_id, seq);

-- The last sequence number given out per account. The row lock is held until the writer commits, so a lower
-- number can never become visible after a higher one and a poller never skips a record.
create table report_heads (
  account_id integer primary key,
  last_seq   bigint not null
) with (fillfactor = 50);

-- How far the account has acknowledged, and the batch it holds now. Acknowledging moves one number.
create table report_polls (
  account_id     integer primary key,
  acked_seq      bigint not null default 0,
  batch_id       text,
  batch_last_seq bigint,
  batch_at       timestamptz
) with (fillfactor = 50);

-- The ledger: signed counts appended in the transaction that recorded or closed the messages, so that
-- accepted = closed + in flight can be checked against the rows themselves. Folded together by a worker.
create table ledger (
  day        date not null,
  account_id integer not null,
  accepted   bigint not null,
  closed     bigint not null
);
