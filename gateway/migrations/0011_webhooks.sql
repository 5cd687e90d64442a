-- Where an account wants its reports pushed to, and how.
create table webhooks (
  id              text collate "C" primary key,
  account_id      integer not null,
  url             text not null,
  name            text not null,
  per_second      integer not null check (per_second between 1 and 1000),
  concurrency     integer not null check (concurrency between 1 and 100),
  timeout_seconds integer not null check (timeout_seconds between 1 and 30),
  -- 'msgKey': only 200 with {"msgKey": "<same>"} counts; 'status': any 2xx does.
  acknowledgement text not null check (acknowledgement in ('msgKey', 'status')),
  -- Whether it is told that another webhook of the account was disabled.
  notices         boolean not null,
  enabled         boolean not null,
  disabled_why    text check (disabled_why in ('owner', 'gone', 'failing')),
  disabled_at     timestamptz,
  -- What signs; the one before it signs too until its time is over.
  secret          text not null,
  previous_secret text,
  previous_until  timestamptz,
  created_at      timestamptz not null default now()
);

create index webhooks_account on webhooks (account_id, id);

-- How far each webhook has come in its account's reports: everything up to seq was acknowledged or lies in
-- webhook_deliveries. Moved in bulk, several times a second, whatever the number of reports.
create table webhook_cursors (
  webhook_id    text collate "C" primary key references webhooks on delete cascade,
  account_id    integer not null,
  seq           bigint not null,
  -- Grows when somebody else than the owner moves the cursor: what the owner has in hand is void then.
  epoch         integer not null default 1,
  -- The worker that pushes; worth something while that worker is alive.
  owner         text,
  failing_since timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

create index webhook_cursors_owner on webhook_cursors (owner);

-- Workers that push, each telling every second that it is alive.
create unlogged table webhook_pushers (
  id      text primary key,
  seen_at timestamptz not null
);

-- What was not acknowledged at the first try, and what is to be pushed again. Gone once it is acknowledged.
create table webhook_deliveries (
  webhook_id  text collate "C" not null,
  -- The webhook-id of every try.
  event_id    text collate "C" not null,
  -- Of a report; null for a notice.
  msg_key     text collate "C",
  step        smallint,
  notice      json,
  -- Of the report, or of the notice: three days later nothing is tried any more.
  created_at  timestamptz not null,
  tries       smallint not null,
  -- Null: given up.
  retry_at    timestamptz,
  failed_at   timestamptz not null,
  http_status smallint,
  error       text not null,
  primary key (webhook_id, event_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);

create index webhook_deliveries_retry on webhook_deliveries (webhook_id, retry_at);
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, failed_at);
create index webhook_deliveries_age on webhook_deliveries (created_at);

-- The last tries of each webhook, written as a whole every second or so: for looking at, worth nothing after a crash.
create unlogged table webhook_logs (
  webhook_id text collate "C" primary key,
  tries      json not null
) with (fillfactor = 50);
