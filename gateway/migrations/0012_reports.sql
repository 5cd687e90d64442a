-- How far each named consumer of the report stream has acknowledged.
create table report_consumers (
  account_id integer not null,
  name       text collate "C" not null,
  acked_seq  bigint not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
) with (fillfactor = 50);

-- Carried along while the message is open, so that closing it can count it without a look at its record.
alter table in_flight add column payment_code text;
update in_flight f set payment_code = m.payment_code
  from messages m where m.msg_key = any (array[f.msg_key]) and m.payment_code is not null;

-- Usage: counts appended in the transaction that closed the messages, added to their day by a worker.
create table usage_deltas (
  -- When the messages were accepted, to the quarter of an hour: no zone's day begins within one.
  quarter      timestamptz not null,
  account_id   integer not null,
  channel      text not null,
  carrier      text not null,
  outcome      text not null,
  payment_code text not null,
  messages     bigint not null,
  steps        bigint not null,
  parts        bigint not null
);

-- Days are those of the configured time zone.
create table usage_days (
  account_id   integer not null,
  day          date not null,
  channel      text not null,
  carrier      text not null,
  outcome      text not null,
  -- Empty when the send had none.
  payment_code text not null,
  messages     bigint not null,
  steps        bigint not null,
  parts        bigint not null,
  primary key (account_id, day, channel, carrier, outcome, payment_code)
) with (fillfactor = 70);

-- Days after the close at which text and recipient are erased: 0 at once, null with the day's partition.
alter table accounts add column erase_after_days smallint check (erase_after_days between 0 and 366);

-- How far each account's closed messages have been erased, by the numbers of their reports.
create table erasures (
  account_id integer primary key,
  erased_seq bigint not null
);
