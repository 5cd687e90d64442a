-- What recipients have written to accounts: numbered per account in commit order and without gaps, as reports are.
create table replies (
  -- 0: no account has the number or brand that it was sent to; a worker assigns it when one has.
  account_id   integer not null,
  seq          bigint not null,
  -- As a msgKey: the day in it names the key of what is encrypted.
  reply_key    text collate "C" not null unique,
  route_id     text not null,
  service_type text not null,
  -- Sender, recipient and text as JSON, in one of two forms.
  content      text,
  sealed       bytea,
  parts        smallint not null,
  missing      smallint not null,
  choice       text check (choice in ('opt-out', 'opt-in')),
  -- Keyed hash of who has written, for erasing what one number wrote.
  from_index   bytea not null,
  -- Of the id that the carrier gave it, with its login: a reply that is delivered twice is stored once.
  carrier_key  bytea unique,
  sent_at      timestamptz not null,
  created_at   timestamptz not null default now(),
  primary key (account_id, seq),
  check ((content is null) <> (sealed is null))
);

create index replies_age on replies (created_at);
create index replies_from on replies (from_index);

-- The last number of each account. Its lock is held until the writer commits, as with report_sequences.
create table reply_sequences (
  account_id integer primary key,
  last_seq   bigint not null
) with (fillfactor = 50);

create table reply_polls (
  account_id     integer primary key,
  acked_seq      bigint not null default 0,
  batch_id       text,
  batch_last_seq bigint
) with (fillfactor = 50);

create table reply_consumers (
  account_id integer not null,
  name       text collate "C" not null,
  acked_seq  bigint not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
) with (fillfactor = 50);

-- Long replies whose parts have not all arrived, and for an hour those that are complete: a part may come twice.
create table reply_series (
  -- Keyed hash of login, addresses, reference and number of parts.
  series       bytea primary key,
  account_id   integer not null,
  route_id     text not null,
  service_type text not null,
  parts        smallint not null,
  from_index   bytea not null,
  last_at      timestamptz not null default now(),
  -- Stored as a reply.
  closed       boolean not null default false
) with (fillfactor = 70);

create index reply_series_age on reply_series (closed, last_at);
create index reply_series_from on reply_series (from_index);

create table reply_parts (
  series    bytea not null references reply_series on delete cascade,
  part      smallint not null,
  reply_key text collate "C" not null,
  content   text,
  sealed    bytea,
  sent_at   timestamptz not null,
  primary key (series, part),
  check ((content is null) <> (sealed is null))
);

-- What a webhook receives: reports, as all of them have until now, or replies. Its cursor counts in that order.
alter table webhooks add column events text not null default 'reports' check (events in ('reports', 'replies'));
