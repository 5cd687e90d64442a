-- The schema of Postern, in the order in which a message passes through it.
--
-- {schema} stands for the schema that the tables are created in; `platform/database/migrate.ts` replaces it. Functions that run with the rights
-- of the table owner name every table in full and search only the catalog: a user who can create a function, an operator or a temporary
-- table must not be able to put it in the place of one that these functions use. `postern database roles` grants what each process may
-- do (`operators/database-grants.ts`), so no function here can be called by PUBLIC unless that is harmless.
--
-- Keys of messages begin with the UTC day, YYYYMMDD, in which they were accepted, and are compared byte by byte (collate "C"). The
-- partitioned tables have one partition per such day, or per month, and past days are dropped whole.

-- Accounts and credentials -------------------------------------------------------------------------------------------------------------

-- The clients that send messages, pay for them and receive reports.
create table accounts (
  id                 integer generated always as identity primary key,
  client_id          text not null unique,
  name               text not null,
  blocked            boolean not null default false,
  may_poll           boolean not null default true,
  -- Whether reports contain resCnt, the number of parts of an international message.
  part_counts        boolean not null default false,
  -- A token carries the epoch in which it was issued. Incrementing the epoch revokes every token of the account.
  token_epoch        integer not null default 1,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  -- Requests per second for each family of endpoints: null applies the configured default, 0 means no limit.
  send_limit         integer check (send_limit >= 0),
  report_limit       integer check (report_limit >= 0),
  file_limit         integer check (file_limit >= 0),
  form_limit         integer check (form_limit >= 0),
  -- 'plain' reports have exactly the keys of the contract; 'minimal' ones omit sendTime, resCnt and userType, which some clients refuse.
  report_keys        text not null default 'full' check (report_keys in ('full', 'plain', 'minimal')),
  -- The default lane. Null chooses it by the kind of message; with 'codes' only one-time codes are urgent.
  lane               text check (lane in ('urgent', 'normal', 'bulk', 'codes')),
  -- The account's share of a route while other accounts wait for the route.
  weight             smallint not null default 1 check (weight between 1 and 100),
  -- Days after the close at which text and recipient are erased: 0 means immediately, null with the partition of the day.
  erase_after_days   smallint check (erase_after_days between 0 and 366),
  -- The waiting messages of a blocked account: 'close' ends them, 'hold' keeps them until the account is unblocked or their deadline.
  blocked_backlog    text not null default 'close' constraint accounts_blocked_backlog_check check (blocked_backlog in ('close', 'hold')),
  -- Whether the next step of a flow starts when it is unknown whether a step was delivered.
  uncertain_fallback text not null default 'always' check (uncertain_fallback in ('always', 'after-timeout', 'never')),
  -- Concurrent SMPP binds over all processes; 0 disables SMPP.
  smpp_binds         smallint not null default 0 check (smpp_binds between 0 and 100),
  -- The system_id of its binds where that is not the client id.
  smpp_system_id     text collate "C" unique check (smpp_system_id ~ '^[A-Za-z0-9._-]{1,15}$'),
  -- Whether replies are delivered to its binds.
  smpp_replies       boolean not null default false,
  -- Sends plain equivalents of characters that CP949 lacks.
  smart_encoding     boolean not null default true,
  -- MiB that its batches may occupy.
  batch_megabytes    integer not null default 1024 check (batch_megabytes between 1 and 1048576)
);

-- The passwords and keys of an account. A change reaches every API process within two seconds. A row stays after its end for the
-- operator's list; its hash, which could be attacked, does not.
create table credentials (
  id          integer generated always as identity primary key,
  account_id  integer not null references accounts,
  -- Part of the key's text, and its name in commands.
  key_id      text collate "C" not null unique check (key_id ~ '^[0-9A-Z]{12}$'),
  -- SMPP has passwords of its own, because the protocol allows eight characters only.
  kind        text not null check (kind in ('password', 'key', 'smpp')),
  -- The PHC string of argon2id for a password, the hexadecimal SHA-256 of a key.
  hash        text,
  name        text not null default '',
  -- Null allows every scope.
  scopes      text[],
  -- Networks in CIDR notation; null allows every network.
  networks    text[],
  created_by  text not null,
  created_at  timestamptz not null default now(),
  -- The expiry, or the end of the overlap with the successor.
  ends_at     timestamptz,
  revoked_at  timestamptz,
  -- The key_id of the successor.
  replaced_by text,
  constraint credentials_check check (hash is not null or revoked_at is not null or ends_at is not null)
);
create index credentials_account_id_idx on credentials (account_id);
create index credentials_ends_at_idx on credentials (ends_at) where hash is not null and ends_at is not null;

-- One row that changes with every change of credentials. Processes compare it each second instead of reading all credentials. The value
-- is random, because a failover that loses a commit would give the same number to two different states.
create table credentials_version (
  single  boolean primary key default true check (single),
  version uuid not null default gen_random_uuid()
);
insert into credentials_version default values;

create function {schema}.change_credentials_version() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  update {schema}.credentials_version set version = gen_random_uuid();
  return null;
end $$;
create trigger change_credentials_version after insert or update or delete or truncate on credentials
  for each statement execute function change_credentials_version();

-- Erases the hashes of expired credentials. It locks the accounts first, as commands do, and skips those that a command has locked:
-- waiting for one would make every change of a credential wait for the version.
create function {schema}.erase_ended_credentials() returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  ended integer[];
begin
  select array_agg(found.id) into ended from (
    select c.id from {schema}.credentials c join {schema}.accounts a on a.id = c.account_id
     where c.hash is not null and c.ends_at <= now() order by c.id limit 1000 for no key update of a skip locked) found;
  -- Otherwise each round would change the version, and every process would read all credentials again.
  if ended is null then return; end if;
  update {schema}.credentials set hash = null where id = any (ended) and ends_at <= now();
end $$;
revoke all on function erase_ended_credentials from public;

-- The last use of each credential. It is a separate table, because every change of credentials makes all processes read them again.
create table credential_uses (
  credential_id integer primary key references credentials on delete cascade,
  used_at       timestamptz not null,
  address       text not null
);

-- The keys that sign access tokens. Key 1 is POSTERN_TOKEN_SECRET itself. Each later key is derived from that secret and its salt, so
-- neither this table nor the setting is enough to sign a token.
create table token_keys (
  id         integer generated always as identity primary key check (id between 1 and 65535),
  salt       bytea,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- The key signs from this time until the next key does. It lies in the future when the key is added, so that every process knows the
  -- key by then.
  signs_from timestamptz not null,
  -- Tokens signed with the key are refused from this time, even if they have not expired.
  retired_at timestamptz
);
insert into token_keys (created_by, signs_from) values ('migration', to_timestamp(0));

-- Data keys, each wrapped by a master key that only processes have. Encrypted values name their data key by its id.
create table data_keys (
  id         integer primary key check (id between 1 and 65535),
  -- The key encrypts this, for example 'secrets': webhook secrets and route options.
  purpose    text not null,
  -- A digest of the master key that does not reveal it.
  master_key text not null,
  wrapped    bytea not null,
  created_at timestamptz not null default now()
);

-- Each time an operator blocked an account: who, why, what the client was told, and what happened to its messages.
create table account_stops (
  id           bigint generated always as identity primary key,
  account_id   integer not null references accounts,
  at           timestamptz not null default now(),
  by           text not null,
  reason       text not null,
  notice       text,
  backlog      text not null constraint account_stops_backlog_check check (backlog in ('close', 'hold')),
  -- The last report before the block. Later reports count as ended by it.
  report_seq   bigint not null,
  webhooks     integer not null,
  submitted    integer,
  closed       integer,
  held         integer,
  ended_at     timestamptz,
  ended_by     text,
  ended_reason text
);
create index account_stops_account on account_stops (account_id, id);

-- Routes -------------------------------------------------------------------------------------------------------------------------------

-- Links to carriers: which messages each may carry, how fast, and when another route is better.
create table routes (
  id                     text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  channels               text[] not null,
  protocol               text not null,
  -- Validated against the schema of the protocol. A string "env:NAME" is read from the environment, so a carrier's password need not be
  -- stored here.
  options                jsonb not null,
  -- Lower is tried first.
  priority               integer not null default 100,
  -- 0 means no limit but the carrier's window.
  parts_per_second       integer not null default 0 check (parts_per_second >= 0),
  enabled                boolean not null default true,
  updated_at             timestamptz not null default now(),
  -- An empty array means all: accounts, number prefixes (010, +81), carriers of the recipient.
  account_ids            integer[] not null default '{}',
  prefixes               text[] not null default '{}',
  carriers               text[] not null default '{}',
  -- The route's share of the messages among routes with the same priority.
  weight                 integer not null default 1 check (weight between 1 and 1000),
  -- Below this delivery rate the next route is preferred. Null disables the comparison.
  min_delivery_rate      real check (min_delivery_rate > 0 and min_delivery_rate <= 1),
  -- How long messages wait for the route before they choose another one.
  failover_after_seconds integer not null default 3 check (failover_after_seconds between 0 and 86400),
  -- The policy at the deadline of a step that may have been submitted.
  unknown_policy         text not null default 'fail' check (unknown_policy in ('fail', 'resend')),
  -- A route may have several owners. Each runs a share of it with an equal part of its rate.
  owners                 smallint not null default 1 constraint routes_owners_check check (owners between 1 and 16),
  -- 'paused' submits nothing, and messages without another route wait. 'draining' accepts nothing new, waiting messages move to other
  -- routes, and the link stays up for outstanding receipts.
  traffic                text not null default 'open' constraint routes_traffic_check check (traffic in ('open', 'paused', 'draining')),
  -- The operators who have saved the route since another operator last reviewed it, which is required before it is enabled.
  unreviewed_by          text[] not null default '{}'
);

-- The carrier of a number: the longest prefix decides. The operator imports all ranges at once.
create table number_ranges (
  prefix  text collate "C" primary key check (prefix ~ '^(0|\+[1-9])[0-9]*$'),
  carrier text not null
);

-- The kind of each issued RCS template. The limits of a message depend on the kind, and the template id does not reveal it.
create table rcs_templates (
  id   text collate "C" primary key,
  kind text not null check (kind in ('Free', 'Description', 'Cell', 'Image'))
);

-- The state of each route share, written by its owner when it changes. Worthless after a crash, therefore unlogged.
create unlogged table route_states (
  route_id        text primary key,
  -- The member that wrote it. The state counts while that member is live.
  owner           text not null,
  linked          boolean not null,
  -- Parts that may be released to each lane now without waiting.
  urgent_capacity integer not null,
  normal_capacity integer not null,
  bulk_capacity   integer not null,
  -- Measured parts per second that the carrier accepts; null without a limit.
  rate            real,
  breaker         text not null default 'closed' check (breaker in ('closed', 'open', 'half-open')),
  throttled_share real not null default 0,
  delivery_rate   real,
  seen_at         timestamptz not null,
  -- Readers fetch the rows changed since their last read: all transactions below the oldest one running then were visible to them.
  changed         xid8 not null default pg_current_xact_id(),
  -- The number of owners by which the owner has divided the rate. The other shares wait until all agree.
  owners          smallint not null default 1,
  -- Steps that reached the route and parts that it submitted, per second, and parts that wait in its memory.
  arrivals        real not null default 0,
  submitted       real not null default 0,
  queued          integer not null default 0,
  -- Why the route is not linked, in the words of its carrier or the network.
  link_reason     text
) with (fillfactor = 50);

-- Outcomes of each route by the minute in which they arrived. Rows are appended, and aggregated by a worker.
create table route_results (
  route_id  text not null,
  minute    timestamptz not null,
  delivered integer not null,
  failed    integer not null,
  id        bigint generated always as identity primary key
);
create index route_results_minute on route_results (minute, route_id);

-- Messages and messages in flight ------------------------------------------------------------------------------------------------------

-- Every accepted message. Rows are never updated except to erase the content.
create table messages (
  msg_key         text collate "C" primary key,
  account_id      integer not null,
  recipient       text not null,
  flow            json not null,
  ref             text,
  accepted_at     timestamptz not null,
  -- The client's billing department.
  payment_code    text,
  -- Recipient and steps as one ciphertext. `recipient` is then empty, and `flow` contains the channels only.
  sealed          bytea,
  -- A keyed hash of account and number, to find the messages of an account to one number.
  recipient_index bytea
) partition by range (msg_key);
-- Search by reference, recipient and report code. Each page range has one filter of its values, written once for hundreds
-- of rows, so an insert pays almost nothing.
create index messages_ref on only messages using brin (ref text_bloom_ops (n_distinct_per_range = 1000))
  with (pages_per_range = 32, autosummarize = on);
create index messages_recipient on only messages
  using brin (recipient text_bloom_ops (n_distinct_per_range = 1000), recipient_index bytea_bloom_ops (n_distinct_per_range = 1000))
  with (pages_per_range = 32, autosummarize = on);

-- Open messages: one row each, deleted in the transaction that writes the reports. `due_at` is the deadline of the current step and does
-- not change while the step runs, so every change of `state` is a HOT update; for the same reason no other column that changes has an index.
create table in_flight (
  msg_key         text collate "C" primary key,
  account_id      integer not null,
  channel         text not null,
  msg_type        text not null,
  step            smallint not null,
  -- The number of steps in the flow.
  steps           smallint not null,
  try             smallint not null,
  state           text not null check (state in ('unclaimed', 'claimed')),
  due_at          timestamptz not null,
  ref             text,
  -- The results of the steps before the current one; null during the first step.
  results         json,
  -- Copied from the message, so closing it does not read its record.
  payment_code    text,
  -- Identifies a claim, so that a repeated statement recognizes its own claim and does not return the claim of a successor.
  claim_token     bigint,
  -- The route of a claim whose submission may be repeated. The next owner of the route takes over the claim.
  claim_route     text,
  -- The beginning of a digest of the login by which the step was submitted, if it is known: another carrier is not asked about the submission.
  claim_login     text,
  -- Tokens of the last claims that were returned, newest first. A copy of such a claim may still arrive or commit, and is not granted.
  fenced_tokens   bigint[],
  -- The traffic record that is written when the message closes takes it from here.
  recipient_index bytea,
  -- The sender of each step, for the traffic record.
  senders         json,
  -- The batch that the message belongs to; null for other messages. It never changes, so its index does not prevent HOT updates.
  batch_id        bigint
) with (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index in_flight_due on in_flight (due_at);
create index in_flight_batch on in_flight (batch_id) where batch_id is not null;

-- Jobs that no stage could process, moved here from the broker so that an operator can inspect, retry or drop each.
create table parked (
  id        bigint generated always as identity primary key,
  -- A digest of stage and payload: a repeated delivery of the same job adds no row.
  digest    text not null unique,
  stage     text not null check (stage in ('intake', 'dispatch', 'settle', 'opt-outs', 'unreadable')),
  msg_key   text collate "C",
  -- Contains nothing that a client wrote.
  reason    text,
  -- Bytes, because the content may be what PostgreSQL could not store as text.
  payload   bytea not null,
  -- How often the job was parked. A job that is parked again during its retry must stay.
  times     integer not null default 1,
  parked_at timestamptz not null default now()
);
create index parked_msg_key on parked (msg_key) where msg_key is not null;

-- Message forms: flows that accounts have registered and send by id.
create table forms (
  id         text collate "C" primary key,
  account_id integer not null,
  -- The flow in the client's spelling, with placeholders. jsonb would change the order of keys and refuse some characters.
  flow       json not null,
  expires_at timestamptz not null
);
create index forms_account on forms (account_id, expires_at);
create index forms_expiry on forms (expires_at);

-- Attempts -----------------------------------------------------------------------------------------------------------------------------

-- Every part submitted to a carrier, with the response of the carrier and later the receipt.
create table attempts (
  msg_key         text collate "C" not null,
  step            smallint not null,
  try             smallint not null,
  part            smallint not null,
  parts           smallint not null,
  route_id        text not null,
  -- The last eight digits: enough to distinguish recipients, and independent of how the number is written.
  recipient       text not null,
  outcome         text not null check (outcome in ('accepted', 'refused', 'unknown')),
  -- The id in lower case and without leading zeros: ids are compared in this form.
  carrier_id      text,
  -- The id as the carrier spells it, if that differs: queries to the carrier use it.
  spelled_id      text,
  -- The carrier's own code for a refusal or an unknown outcome.
  outcome_code    text,
  submitted_at    timestamptz not null,
  result          text check (result in ('delivered', 'failed')),
  cause           text,
  receipt_code    text,
  -- When the delivery happened according to the carrier, and when its receipt arrived.
  result_at       timestamptz,
  received_at     timestamptz,
  -- The number of final receipts; more than 1 if the carrier repeated itself.
  receipts        smallint not null default 0,
  -- Why the route was chosen, and why and how long the step waited before.
  route_reason    text,
  held_reason     text,
  -- A receipt that arrived after its step had ended is stored and shown, and does not change the outcome.
  late            boolean not null default false,
  -- The recipient also received the message through another step or try.
  delivered_twice boolean not null default false,
  -- A message may be scheduled 60 days ahead, which exceeds an integer.
  held_ms         bigint,
  -- The recipient's carrier, from the number ranges or the response. A receipt may correct it.
  carrier         text,
  -- Detail of a refusal: a report code, or `ported:` and the carrier that the number was ported to. It gives the report the same code
  -- after a crash between the refusal and its verdict.
  detail          text,
  primary key (msg_key, step, try, part)
) partition by range (msg_key);
create index attempts_carrier_id on attempts (carrier_id) where carrier_id is not null;
-- A receipt for a part without an id is matched by its recipient. `result` is not part of the condition: every receipt sets it, and a
-- column in the condition of an index prevents HOT updates.
create index attempts_without_id on attempts (recipient, route_id) where carrier_id is null and outcome <> 'refused';

-- Receipts that matched no attempt yet. They are retried, and never dropped before their time.
create table orphan_receipts (
  id          bigint generated always as identity primary key,
  route_id    text not null,
  receipt     json not null,
  received_at timestamptz not null,
  tries       integer not null default 0,
  retry_at    timestamptz not null,
  -- The recipient as attempts store it, to find the receipt when the recipient is erased; empty after that.
  recipient   text
);
create index orphan_receipts_recipient on orphan_receipts (recipient) where recipient <> '';
create index orphan_receipts_retry on orphan_receipts (retry_at);

-- Waiting steps ------------------------------------------------------------------------------------------------------------------------

-- Steps that wait for capacity, for a time, or for their job to reach the broker. A row is deleted after the broker has confirmed the
-- job, so a crash in between repeats a release and never loses one; a claim prevents the second job from being submitted.
create table waiting (
  msg_key      text collate "C" primary key,
  step         smallint not null,
  try          smallint not null,
  account_id   integer not null,
  -- The chosen route; empty if there is none yet.
  route_id     text collate "C" not null,
  route_reason text,
  lane         text collate "C" not null check (lane in ('urgent', 'normal', 'bulk')),
  parts        smallint not null,
  -- Submissions that were certainly not accepted.
  tries        smallint not null default 0,
  release_at   timestamptz not null,
  reason       text not null constraint waiting_reason_check check (reason in ('owed', 'backlog', 'scheduled', 'retry', 'moved', 'rule')),
  created_at   timestamptz not null default now(),
  -- When a step that an operator holds would have been released.
  resume_at    timestamptz,
  -- The trust rule that holds the step.
  rule         text,
  -- The batch of the message, as in in_flight. It never changes.
  batch_id     bigint
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
-- The due steps of one account are one range, and the next account is one index probe away.
create index waiting_due on waiting (route_id, lane, account_id, release_at);
-- One probe per lane finds whether a step without a route is due.
create index waiting_unrouted on waiting (lane, release_at) where route_id = '';
-- Counts and wakes the steps of one batch.
create index waiting_batch on waiting (batch_id) where batch_id is not null;

-- Batches ------------------------------------------------------------------------------------------------------------------------------

-- Many recipients of one flow. A worker creates their messages page by page, at the pace and in the hours that the client chose.
create table batches (
  id              bigint generated always as identity primary key,
  -- The id that clients use. Has the form of a msgKey: its day names the key of the encrypted content.
  batch_key       text collate "C" not null unique,
  account_id      integer not null references accounts,
  -- The client's Idempotency-Key and a digest of the request: a repeated request finds the batch.
  idempotency_key text collate "C" not null,
  fingerprint     bytea not null,
  ref             text,
  -- The flow, the form of duplicates and the payment code as JSON, either in plaintext or encrypted.
  content         text,
  sealed          bytea,
  -- 'open': lines can be uploaded. 'checking': a worker checks each line. 'ready': checked, can be started. 'running', 'paused': messages
  -- are created, or not for now. 'cancelled': the client stopped it. 'ended': every line has its result.
  state           text not null default 'open' check (state in ('open', 'checking', 'ready', 'running', 'paused', 'cancelled', 'ended')),
  -- Whether the batch starts by itself after the check.
  starts          boolean not null default false,
  -- Messages are created from start_at until end_by, between two times of day in the zone of the gateway.
  start_at        timestamptz,
  end_by          timestamptz,
  hours_from      time,
  hours_to        time,
  -- Messages per second; null means as fast as routes send them.
  speed           integer check (speed > 0),
  drop_duplicates boolean not null default true,
  -- The page that is checked or turned into messages next, and the earliest time of that.
  next_part       integer not null default 0,
  next_page       integer not null default 0,
  next_at         timestamptz not null default now(),
  -- Every line is in one of these: not yet decided, duplicate, refused, cancelled, or a message.
  lines           integer not null default 0,
  duplicates      integer not null default 0,
  refused         integer not null default 0,
  cancelled       integer not null default 0,
  messages        integer not null default 0,
  -- Refused lines by result code, of the check and then of the start.
  codes           jsonb not null default '{}',
  -- An upper bound of what the batch occupies with its parts and pages. Counts against batch_megabytes of the account.
  bytes           bigint not null default 0,
  created_at      timestamptz not null default now(),
  changed_at      timestamptz not null default now(),
  started_at      timestamptz,
  ended_at        timestamptz,
  unique (account_id, idempotency_key),
  check ((content is null) <> (sealed is null))
) with (fillfactor = 50);
create index batches_work on batches (next_at) where state in ('checking', 'running');
create index batches_account on batches (account_id, id);
create index batches_ref on batches (account_id, ref) where ref is not null;

-- The uploads of a batch. A repeated upload of the same bytes changes nothing.
create table batch_parts (
  batch_id bigint not null references batches on delete cascade,
  part     integer not null check (part between 1 and 10000),
  sha256   bytea not null,
  lines    integer not null,
  primary key (batch_id, part)
);

-- Up to 1,000 lines of an upload, and what became of each.
create table batch_pages (
  batch_id   bigint not null,
  part       integer not null,
  page       integer not null,
  lines      integer not null,
  -- The lines as JSON, compressed, and encrypted if messages are. Null once the recipients are erased.
  content    bytea,
  is_sealed  boolean not null default false,
  -- A keyed 64-bit hash of the recipient of each line, to find duplicates.
  hashes     bigint[] not null,
  -- The result code of each line that has no message: 'duplicate', 'cancelled', or why it was refused. The key is its index in the page.
  codes      jsonb not null default '{}',
  -- The msgKeys of the first lines, in order; empty for a line without a message. Its length is how far the page has been processed.
  msg_keys   text[] not null default '{}',
  primary key (batch_id, part, page),
  foreign key (batch_id, part) references batch_parts on delete cascade
);

-- Outcomes of the messages of a batch. Rows are appended when messages close, and aggregated when the batch is read.
create table batch_outcomes (
  batch_id    bigint not null,
  report_code text not null,
  messages    integer not null,
  id          bigint generated always as identity primary key
);
create index batch_outcomes_batch on batch_outcomes (batch_id);

-- Reports ------------------------------------------------------------------------------------------------------------------------------

-- The reports that accounts receive: one per step tried, written together when the message closes.
create table reports (
  msg_key      text collate "C" not null,
  step         smallint not null,
  account_id   integer not null,
  -- Counted per account in commit order without gaps: see report_sequences.
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
  -- F or N for a basic brand message, if its carrier reports whether the recipient was a friend of the channel.
  user_type    text,
  primary key (msg_key, step)
) partition by range (msg_key);
create index reports_polling on reports (account_id, seq);
create index reports_code on only reports using brin (report_code text_bloom_ops (n_distinct_per_range = 32))
  with (pages_per_range = 32, autosummarize = on);

-- The last report number of each account. The row lock is held until the writer commits, so a lower number never becomes visible after a
-- higher one, and a poller never skips a report.
create table report_sequences (
  account_id integer primary key,
  last_seq   bigint not null
) with (fillfactor = 50);

-- The polling position of each account, and the batch that it holds. Acknowledging a batch moves one number.
create table report_polls (
  account_id     integer primary key,
  acked_seq      bigint not null default 0,
  -- Begins with the time at which the batch was opened.
  batch_id       text,
  batch_last_seq bigint
) with (fillfactor = 50);

-- The position of each named consumer of the report stream.
create table report_consumers (
  account_id integer not null,
  name       text collate "C" not null,
  acked_seq  bigint not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
) with (fillfactor = 50);

-- How far the closed messages of each account have been erased.
create table erasure_progress (
  account_id     integer primary key,
  erased_seq     bigint not null,
  -- When the oldest report that is not erased was written, or an earlier time.
  next_report_at timestamptz not null default '-infinity'
);

-- Returns the partition of a day, quoted, and refuses every other name.
create function {schema}.day_partition(parent text, day text) returns text language plpgsql
  set search_path = pg_catalog, pg_temp as $$
begin
  if day !~ '^[0-9]{8}$' or parent not in ('messages', 'attempts', 'reports') then
    raise exception 'not a partition: %_%', parent, day;
  end if;
  return format('{schema}.%I', parent || '_' || day);
end $$;

-- Creates the partitions of a day for messages, attempts and reports. Workers call it and own no table. A partition is created separately
-- and then attached, because attaching takes a weaker lock than CREATE … PARTITION OF, so intake continues.
create function {schema}.ensure_day(day text, parents text[]) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  parent text;
  new_partition text;
begin
  perform pg_advisory_xact_lock(x'64617973'::int);
  foreach parent in array parents loop
    new_partition := {schema}.day_partition(parent, day);
    continue when to_regclass(new_partition) is not null;
    -- Each attempt is updated once, by its receipt: with free space on the page that is a HOT update.
    execute format('create table %s (like {schema}.%I including all) with (fillfactor = %s)',
                   new_partition, parent, case parent when 'attempts' then 45 else 100 end);
    execute format('alter table {schema}.%I attach partition %s for values from (%L) to (%L)',
                   parent, new_partition, day, to_char(to_date(day, 'YYYYMMDD') + 1, 'YYYYMMDD'));
  end loop;
end $$;
revoke all on function ensure_day from public;

create function {schema}.owns_tables() returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select pg_has_role(session_user, (select relowner from pg_class where oid = '{schema}.messages'::regclass), 'USAGE')
$$;
revoke all on function owns_tables from public;

-- Lets autovacuum freeze the rest of each day before yesterday, once: from then on a partition needs no vacuum against wraparound, which
-- would keep drop_day waiting. Yesterday is still written, because a message accepted before midnight may be recorded after it. VACUUM
-- itself needs the owner of the table. The lock excludes only vacuums and schema changes, and an autovacuum that holds it gives way.
create function {schema}.close_past_days() returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
declare
  past_day regclass;
begin
  for past_day in
    select c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent in ('{schema}.messages'::regclass, '{schema}.attempts'::regclass, '{schema}.reports'::regclass)
       and right(c.relname, 8) < to_char((now() at time zone 'UTC')::date - 1, 'YYYYMMDD')
       and 'autovacuum_freeze_min_age=0' <> all (coalesce(c.reloptions, '{}'))
     order by c.relname
  loop
    begin
      execute format('alter table %s set (autovacuum_freeze_min_age = 0, autovacuum_freeze_table_age = 0,
                        autovacuum_vacuum_insert_threshold = 0, autovacuum_vacuum_insert_scale_factor = 0)', past_day);
    exception when lock_not_available then
      -- A vacuum that does not give way holds the partition. The next call closes it.
      null;
    end;
  end loop;
end $$;
revoke all on function close_past_days from public;

-- Drops a partition. Users other than the owner cannot drop a day that is not past under any retention, or a day with an open message: a
-- flow takes 42 days at most. The drop locks the whole table for some milliseconds, and others queue behind it while it waits for the
-- lock: it fails soon with 55P03, and the worker calls it again.
create function {schema}.drop_day(day text, parent text) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
declare
  old_partition text := {schema}.day_partition(parent, day);
  today date := (now() at time zone 'UTC')::date;
begin
  if not {schema}.owns_tables() and (day >= to_char(today - 1, 'YYYYMMDD') or day >= to_char(today - 42, 'YYYYMMDD') and exists (
       select from {schema}.in_flight where msg_key >= day and msg_key < to_char(to_date(day, 'YYYYMMDD') + 1, 'YYYYMMDD'))) then
    raise exception 'the day % is not past, or has open messages', day using errcode = 'insufficient_privilege';
  end if;
  execute 'drop table if exists ' || old_partition;
end $$;
revoke all on function drop_day from public;

-- Replies ------------------------------------------------------------------------------------------------------------------------------

-- Messages that recipients wrote to accounts, numbered per account in commit order without gaps, as reports are.
create table replies (
  -- 0 if no account has the number or brand that the reply was sent to. A worker assigns the reply when one has.
  account_id   integer not null,
  seq          bigint not null,
  -- Has the form of a msgKey. Its day names the key of the encrypted content.
  reply_key    text collate "C" not null unique,
  route_id     text not null,
  service_type text not null,
  -- Sender, recipient and text as JSON, either in plaintext or encrypted.
  content      text,
  sealed       bytea,
  parts        smallint not null,
  missing      smallint not null,
  choice       text check (choice in ('opt-out', 'opt-in')),
  -- A keyed hash of the sender, to erase the replies of one number.
  from_index   bytea not null,
  -- A hash of the login and the carrier's id: a reply that is delivered twice is stored once.
  carrier_key  bytea unique,
  sent_at      timestamptz not null,
  created_at   timestamptz not null default now(),
  -- When the reply was assigned to an account; null if it had one from the start. These times rise with the numbers of an account, so the
  -- position of a time is found without reading what precedes it.
  assigned_at  timestamptz,
  primary key (account_id, seq),
  check ((content is null) <> (sealed is null))
);
create index replies_age on replies (created_at);
create index replies_from on replies (from_index);

-- The last reply number of each account. The row lock is held until the writer commits, as with report_sequences.
create table reply_sequences (
  account_id integer primary key,
  last_seq   bigint not null
) with (fillfactor = 50);

-- The polling position of each account in its replies, and the batch that it holds.
create table reply_polls (
  account_id     integer primary key,
  acked_seq      bigint not null default 0,
  -- Begins with the time at which the batch was opened.
  batch_id       text,
  batch_last_seq bigint
) with (fillfactor = 50);

-- The position of each named consumer of the reply stream.
create table reply_consumers (
  account_id integer not null,
  name       text collate "C" not null,
  acked_seq  bigint not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
) with (fillfactor = 50);

-- Long replies whose parts have not all arrived. Complete ones stay for an hour, because a part may be delivered twice.
create table reply_series (
  -- A keyed hash of login, addresses, reference and number of parts.
  series       bytea primary key,
  account_id   integer not null,
  route_id     text not null,
  service_type text not null,
  parts        smallint not null,
  from_index   bytea not null,
  last_at      timestamptz not null default now(),
  -- Whether the series was stored as a reply.
  closed       boolean not null default false
) with (fillfactor = 70);
create index reply_series_age on reply_series (closed, last_at);
create index reply_series_from on reply_series (from_index);

-- The parts of long replies.
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

-- Webhooks -----------------------------------------------------------------------------------------------------------------------------

-- Where and how accounts want reports or replies pushed.
create table webhooks (
  id              text collate "C" primary key,
  account_id      integer not null,
  -- The URL lacks its path and query if `encrypted_url` is set.
  url             text not null,
  name            text not null,
  per_second      integer not null check (per_second between 1 and 1000),
  concurrency     integer not null check (concurrency between 1 and 100),
  timeout_seconds integer not null check (timeout_seconds between 1 and 30),
  -- 'msgKey': only 200 with {"msgKey": "<same>"} acknowledges; 'status': any 2xx does.
  acknowledgement text not null check (acknowledgement in ('msgKey', 'status')),
  -- Whether it is notified when another webhook of the account is disabled.
  notices         boolean not null,
  enabled         boolean not null,
  -- 'unproved': the receiver has not proved yet that it holds the secret.
  disabled_reason text constraint webhooks_disabled_reason_check check (disabled_reason in ('owner', 'gone', 'failing', 'unproved')),
  disabled_at     timestamptz,
  -- Signs every push. After a rotation the previous secret also signs until its time ends.
  secret          text not null,
  previous_secret text,
  previous_until  timestamptz,
  created_at      timestamptz not null default now(),
  -- The key_id of the credential that set the URL through the API; null if an operator set it.
  url_set_by      text,
  -- The cursor of the webhook counts in the sequence of these events.
  events          text not null default 'reports' check (events in ('reports', 'replies')),
  -- The whole URL, if a master key is set: path and query may contain a token.
  encrypted_url   text
);
create index webhooks_account on webhooks (account_id, id);

-- The position of each webhook in its account's reports or replies: everything up to seq was acknowledged or is in webhook_deliveries.
create table webhook_cursors (
  webhook_id    text collate "C" primary key references webhooks on delete cascade,
  account_id    integer not null,
  seq           bigint not null,
  -- Incremented by every new owner and by every other process that moves the cursor: progress of an earlier epoch is void.
  epoch         integer not null default 1,
  failing_since timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Pushes that were not acknowledged at the first try. A row is deleted when its push is acknowledged.
create table webhook_deliveries (
  webhook_id  text collate "C" not null references webhook_cursors on delete cascade,
  -- The webhook-id header of every try.
  event_id    text collate "C" not null,
  -- The report; null for a notice.
  msg_key     text collate "C",
  step        smallint,
  notice      json,
  -- The time of the report or notice. Nothing is tried more than three days later.
  created_at  timestamptz not null,
  tries       smallint not null,
  -- Null if the push was abandoned.
  retry_at    timestamptz,
  failed_at   timestamptz not null,
  http_status smallint,
  error       text not null,
  primary key (webhook_id, event_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index webhook_deliveries_age on webhook_deliveries (created_at);
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, failed_at);
create index webhook_deliveries_retry on webhook_deliveries (webhook_id, retry_at);

-- The last tries of each webhook, for display. Worthless after a crash, therefore unlogged.
create unlogged table webhook_logs (
  webhook_id text collate "C" primary key references webhooks on delete cascade,
  tries      json not null
) with (fillfactor = 50);

-- Ownership ----------------------------------------------------------------------------------------------------------------------------

-- Processes that own something (docs/concepts/ownership.md). A process is live while it renews its row.
create table members (
  id                text primary key,
  role              text not null,
  -- Host name and process ID, for operators.
  host              text not null,
  -- Where the process runs, so a process on the same machine can tell for certain that it has ended. Null if unknown.
  machine           text,
  pid               integer,
  started_at        timestamptz not null default now(),
  seen_at           timestamptz not null default now(),
  -- Another process on the same machine found that this one has ended.
  ended             boolean not null default false,
  -- The kinds of resources that the process currently accepts.
  takes             text[] not null default '{}',
  -- Whether the process's clock has agreed with PostgreSQL's since it started. A process whose machine was paused detects from the others
  -- that PostgreSQL's clock did not jump.
  clock_agrees      boolean not null default true,
  -- When the oldest receipt that the process holds and has not settled was published. No worker ends a step at a deadline after this time.
  oldest_receipt_at timestamptz
) with (fillfactor = 50);

-- The owner of each thing. A thing is free if it has no row or its member is not live.
create table owned (
  kind   text not null check (kind in ('partition', 'webhook', 'delivery', 'duty')),
  key    text not null,
  member text not null references members on delete cascade,
  -- Grows with every change of the owner.
  epoch  bigint generated by default as identity,
  since  timestamptz not null default now(),
  primary key (kind, key)
);
create index owned_member on owned (member, kind);

-- Clients can reach the processes of the API role. That role writes only what an SMPP server is and owns, so it can neither take the
-- partitions and duties of workers nor offer to. Workers are the roles that also write route_states.
create function {schema}.writes_as_worker() returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select has_table_privilege('{schema}.route_states', 'insert')
$$;
alter table members enable row level security;
create policy everyone_reads on members for select using (true);
create policy smpp_server_writes on members
  using ((select {schema}.writes_as_worker()) or (role = 'smpp-server' and takes <@ '{delivery}'));
alter table owned enable row level security;
create policy everyone_reads on owned for select using (true);
create policy smpp_server_writes on owned using ((select {schema}.writes_as_worker()) or kind = 'delivery');

-- SMPP ---------------------------------------------------------------------------------------------------------------------------------

-- The binds of clients (docs/guides/send-over-smpp.md). The binds of a process that has ended do not count.
create table smpp_binds (
  id         text primary key,
  member     text not null references members on delete cascade,
  account_id integer not null references accounts,
  kind       text not null check (kind in ('transmitter', 'receiver', 'transceiver')),
  address    text not null,
  bound_at   timestamptz not null default now()
);
create index smpp_binds_account on smpp_binds (account_id);
create index smpp_binds_member on smpp_binds (member);

-- Long messages whose parts have not all arrived or that are being accepted. Accepted ones stay for half a minute, for parts that are
-- repeated.
create table smpp_series (
  -- The key that the message gets.
  msg_key    text collate "C" primary key,
  -- A keyed hash of account, addresses, reference and number of parts. Null once the next message with the same reference has begun.
  series     bytea unique,
  account_id integer not null,
  parts      smallint not null,
  last_at    timestamptz not null default now(),
  -- A complete series has all parts and may have been accepted; a closed one was accepted.
  state      text not null default 'open' check (state in ('open', 'complete', 'closed'))
) with (fillfactor = 70);
create index smpp_series_age on smpp_series (state, last_at);

-- The parts of long messages.
create table smpp_parts (
  msg_key    text collate "C" not null references smpp_series on delete cascade,
  part       smallint not null,
  -- A keyed hash of the part, to recognize a repetition.
  digest     bytea not null,
  -- The part as JSON, either in plaintext or encrypted.
  content    text,
  sealed     bytea,
  registered smallint not null,
  -- The part arrived again after the message was accepted: it is a repetition, or belongs to the next message with the same reference.
  seen_again boolean not null default false,
  primary key (msg_key, part)
);

-- Receipts that do not come from reports: for parts that were answered although their message was not accepted, and for receipts that a
-- client refused.
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
create index smpp_receipts_age on smpp_receipts (created_at);
create index smpp_receipts_due on smpp_receipts (account_id, due_at);

-- Files --------------------------------------------------------------------------------------------------------------------------------

-- Uploaded images. The bytes are in the file store under the same key.
create table files (
  key          text collate "C" primary key,
  account_id   integer not null,
  service_type text not null,
  kind         text not null,
  format       text not null check (format in ('jpg', 'png', 'gif', 'bmp')),
  width        integer not null check (width > 0),
  height       integer not null check (height > 0),
  bytes        integer not null check (bytes > 0),
  expires_at   timestamptz not null,
  -- The row is written before the bytes, so an upload interrupted by a crash is found and removed. A stored row is a usable file.
  stored       boolean not null default false,
  -- When bytes and row are removed: soon while not stored, otherwise after the last message that may use the file.
  remove_at    timestamptz not null
);
-- Counts an account's stored bytes before each upload, and lists its files.
create index files_account on files (account_id, key) include (bytes);
create index files_remove on files (remove_at, key);

-- Trust --------------------------------------------------------------------------------------------------------------------------------

-- The enabled trust rules (`trust/rules.ts`).
create table trust_rules (
  rule       text collate "C" primary key,
  enabled    boolean not null,
  changed_at timestamptz not null default now(),
  changed_by text not null,
  reason     text not null
);
insert into trust_rules (rule, enabled, changed_by, reason)
select rule, true, 'migration', 'a new installation'
  from unnest(array[
    'sender-number-shape', 'sender-number-registered', 'international-sender-registered', 'rcs-chatbot-registered', 'rcs-brand-registered',
    'kakao-key-registered', 'origin-code-owned', 'advertisement-mark', 'advertisement-opt-out', 'rcs-advertisement-header',
    'alimtalk-not-advertisement', 'advertisement-quiet-hours', 'advertisement-country-hours', 'kakao-advertisement-flag',
    'carrier-mark-not-in-text', 'premium-recipient']) as rule;
insert into trust_rules (rule, enabled, changed_by, reason) values
  ('country-enabled', true, 'migration', 'by default'),
  ('link-allowed', true, 'migration', 'by default'),
  -- These depend on data that the operator or the clients must provide first.
  ('advertisement-sender-name', false, 'migration', 'a new installation'),
  ('advertisement-opt-out-registered', false, 'migration', 'a new installation'),
  ('advertisement-consent', false, 'migration', 'off until consents are recorded'),
  ('low-conversion', false, 'migration', 'off until clients report which codes were used');

-- The version of each group of trust tables, incremented by every change of the group. Processes poll it. The row lock orders the
-- changes, so a process that has read a version has read every row up to it. After a failover that lost a commit a number may be given
-- twice; the random mark then differs.
create table trust_versions (
  topic   text collate "C" primary key,
  version bigint not null default 1,
  mark    uuid not null default gen_random_uuid()
);
insert into trust_versions (topic)
values ('rules'), ('accounts'), ('senders'), ('stops'), ('advertising'), ('quiet-hours'), ('abuse'), ('suppression'), ('batches');

-- Workers read which accounts are blocked when the version of the topic 'stops' changes.
create function raise_stops_version() returns trigger language plpgsql as $$
begin
  update trust_versions set version = version + 1, mark = gen_random_uuid() where topic = 'stops';
  return null;
end $$;
create trigger accounts_stops after update of blocked, blocked_backlog on accounts for each row
  when ((old.blocked, old.blocked_backlog) is distinct from (new.blocked, new.blocked_backlog))
  execute function raise_stops_version();
create trigger accounts_stops_insert after insert on accounts for each row when (new.blocked)
  execute function raise_stops_version();

-- Workers read which batches are paused or cancelled when the version of the topic 'batches' changes. Clients change the state of their
-- batches through the API, which has no right to change versions.
create function {schema}.raise_batches_version() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
begin
  update {schema}.trust_versions set version = version + 1, mark = gen_random_uuid() where topic = 'batches';
  return null;
end $$;
revoke all on function raise_batches_version from public;
create trigger batches_stopped after update of state on batches for each row
  when (old.state is distinct from new.state and (old.state = 'paused' or new.state in ('paused', 'cancelled')))
  execute function raise_batches_version();

-- Opt-outs arrive through the API and from carriers. Only commands change the other topics.
create function {schema}.raise_suppression_version() returns bigint language sql security definer
  set search_path = pg_catalog, pg_temp as $$
  update {schema}.trust_versions set version = version + 1, mark = gen_random_uuid() where topic = 'suppression' returning version
$$;
revoke all on function raise_suppression_version from public;

-- Trust settings of accounts that differ from the default.
create table account_trust (
  account_id   integer primary key references accounts,
  kind         text not null default 'customer' constraint account_trust_kind_check check (kind in ('customer', 'reseller')),
  sandbox      boolean not null default false,
  origin_codes text[] not null default '{}'
);

-- The numbers, chatbots, brands and keys that accounts can send from.
create table senders (
  id              bigint generated always as identity primary key,
  account_id      integer not null references accounts,
  kind            text collate "C" not null,
  value           text collate "C" not null,
  state           text not null constraint senders_state_check check (state in ('pending', 'rejected', 'active', 'blocked')),
  valid_until     timestamptz,
  proof_kind      text,
  -- Encrypted if a master key is set.
  proof_reference text,
  proof_issued    date,
  version         bigint not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  constraint senders_value_key unique (account_id, kind, value)
);
create index senders_version on senders (version);

-- The history of senders: who changed the state, when and why, with the proof presented. Rows are never updated.
create table sender_changes (
  id              bigint generated always as identity primary key,
  sender_id       bigint not null references senders on delete cascade,
  at              timestamptz not null default now(),
  by              text not null,
  from_state      text,
  to_state        text not null,
  valid_until     timestamptz,
  reason          text not null,
  proof_kind      text,
  proof_reference text,
  proof_issued    date
);
create index sender_changes_sender on sender_changes (sender_id, id);

-- Advertising settings of accounts.
create table account_advertising (
  account_id      integer primary key references accounts,
  -- Every message of the account is an advertisement, whether it is marked or not.
  advertiser      boolean not null default false,
  names           text[] not null default '{}',
  opt_out_numbers text[] not null default '{}'
);

-- The hours in which advertisements are sent, in minutes after midnight in Korea. Account 0 covers accounts without a row, channel *
-- covers every channel.
create table quiet_hours (
  account_id integer not null,
  channel    text collate "C" not null,
  opens_at   smallint not null,
  closes_at  smallint not null,
  choice     text not null constraint quiet_hours_choice_check check (choice in ('refuse', 'hold', 'next-step')),
  primary key (account_id, channel),
  -- The law forbids advertisements from 21:00 to 08:00.
  constraint quiet_hours_law_check check (opens_at >= 480 and closes_at <= 1260 and opens_at < closes_at)
);

-- Protection of accounts against abuse, set by the operator. A new account can send to no foreign country until countries are set.
create table account_protection (
  account_id            integer primary key references accounts,
  countries             text[] not null default '{}',
  on_suspicion          text not null default 'refuse'
    constraint account_protection_on_suspicion_check check (on_suspicion in ('refuse', 'hold')),
  recipient_per_hour    integer,
  prefix_per_10_minutes integer,
  links                 text not null default 'any'
    constraint account_protection_links_check check (links in ('any', 'no-shorteners', 'listed')),
  link_domains          text[] not null default '{}',
  safe_numbers          text[] not null default '{}'
);

-- The maximum number of messages per account, class and period.
create table account_caps (
  account_id integer not null references accounts,
  period     text not null constraint account_caps_period_check check (period in ('day', 'month')),
  class      text not null,
  max        bigint not null constraint account_caps_max_check check (max >= 0),
  primary key (account_id, class, period)
);

-- The use of each cap, including what API processes have reserved. A few rows per account with caps, updated often.
create table cap_counts (
  account_id integer not null,
  period     text not null,
  class      text not null,
  -- The day, or the first day of the month, in the time zone of the installation.
  begins     date not null,
  used       bigint not null,
  primary key (account_id, class, begins, period)
) with (fillfactor = 50);

-- The decisions of recipients about advertisements. The recipient is a blind index computed with the account; account 0 stands for every
-- account. A revoked choice stays with the state 'none' until every process has noticed.
create table recipient_choices (
  account_id integer not null,
  recipient  bytea not null constraint recipient_choices_recipient_check check (length(recipient) = 16),
  state      text not null constraint recipient_choices_state_check check (state in ('suppressed', 'agreed', 'none')),
  -- Whether the consent includes the night.
  night      boolean not null default false,
  since      timestamptz not null,
  source     text not null,
  reason     text not null,
  version    bigint not null,
  changed_at timestamptz not null default now(),
  primary key (account_id, recipient)
);
create index recipient_choices_taken_back on recipient_choices (changed_at) where state = 'none';
create index recipient_choices_version on recipient_choices (version);

-- Earlier choices, for `postern suppression show`. Rows are removed after a year.
create table recipient_choice_history (
  account_id integer not null,
  recipient  bytea not null,
  state      text not null,
  night      boolean not null,
  since      timestamptz not null,
  source     text not null,
  reason     text not null,
  ended_at   timestamptz not null default now(),
  id         bigint generated always as identity primary key
);
create index recipient_choice_history_ended on recipient_choice_history (ended_at);
create index recipient_choice_history_recipient on recipient_choice_history (account_id, recipient, ended_at);

-- The number of choices per account, so limits are checked without counting rows. Every change of an account's choices locks its row
-- before it takes the lock that all accounts share.
create table suppression_counts (
  account_id  integer primary key,
  suppressed  integer not null default 0,
  agreed      integer not null default 0,
  -- Choices revoked through the API on that UTC day.
  removals_on date not null default '1970-01-01',
  removals    integer not null default 0
);

-- One-time codes sent and used, by account, country and UTC day. Only accounts whose clients report use have rows, kept for some days.
create table conversion_counts (
  account_id integer not null,
  country    text not null,
  day        date not null,
  codes      bigint not null default 0,
  converted  bigint not null default 0,
  primary key (account_id, country, day)
) with (fillfactor = 50);

-- Messages whose code was reported as used, so each counts once.
create table conversions (
  msg_key text collate "C" primary key,
  day     date not null
);
create index conversions_day on conversions (day);

-- Traffic records: who sent to whom and when, without content, kept longer than the messages if the operator wants it. The recipient is an
-- HMAC of account and number. There is one partition per month of msgKeys; the default partition holds rows whose month does not exist yet.
-- It has no primary key: no statement needs one, and every message would pay for the index.
create table traffic_records (
  msg_key         text collate "C" not null,
  account_id      integer not null,
  recipient_index bytea not null,
  channel         text not null,
  report_code     text not null,
  sent_at         timestamptz not null,
  -- The number, chatbot or key of the step that decided the outcome.
  sender          text
) partition by range (msg_key);
create table traffic_records_default partition of traffic_records default;

create function {schema}.ensure_traffic_month(month text) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  name text := 'traffic_records_' || month;
  next_month text := to_char(to_date(month, 'YYYYMM') + interval '1 month', 'YYYYMM');
begin
  if month !~ '^[0-9]{6}$' then raise exception 'not a month: %', month; end if;
  perform pg_advisory_xact_lock(x'74726166'::int);
  if to_regclass(format('{schema}.%I', name)) is not null then return; end if;
  execute format('create table {schema}.%I (like {schema}.traffic_records including all)', name);
  execute format('with moved as (delete from {schema}.traffic_records_default where msg_key >= %L and msg_key < %L returning *)
                    insert into {schema}.%I select * from moved', month, next_month, name);
  execute format('alter table {schema}.traffic_records attach partition {schema}.%I for values from (%L) to (%L)',
                 name, month, next_month);
end $$;
revoke all on function ensure_traffic_month from public;

-- Users other than the owner cannot drop a month that is not past.
create function {schema}.drop_traffic_month(month text) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
begin
  if month !~ '^[0-9]{6}$' then raise exception 'not a month: %', month; end if;
  if not {schema}.owns_tables() and month >= to_char(now() at time zone 'UTC', 'YYYYMM') then
    raise exception 'the month % is not past', month using errcode = 'insufficient_privilege';
  end if;
  execute format('drop table if exists {schema}.%I', 'traffic_records_' || month);
end $$;
revoke all on function drop_traffic_month from public;

-- Audit log ----------------------------------------------------------------------------------------------------------------------------

-- Every action of an operator and every access to personal data. Rows are only added, each with the hash of the row before it, so
-- `postern audit verify` finds a row that was changed, removed or moved. Numbers are masked, and no secret is stored.
create table audit_log (
  seq           bigint primary key,
  at            timestamptz not null,
  -- The operator, or the user of the operating system where there are no operators.
  actor         text not null,
  role          text not null,
  -- The key that the operator signed in with.
  key_id        text,
  -- The host of a command, the address of a request.
  source        text not null,
  request_id    text not null,
  action        text not null,
  -- Work that does not fit in one transaction is recorded when it begins and when it ends.
  result        text not null check (result in ('done', 'begun', 'failed', 'refused', 'looked')),
  target        text not null,
  -- The client id, if the action concerns an account.
  account       text,
  reason        text not null,
  -- json and not jsonb: the hash covers the text as it was written.
  details       json not null,
  previous_hash bytea not null,
  hash          bytea not null,
  -- The database user that wrote the row, set by the trigger.
  database_user text not null
);
create index audit_log_account on audit_log (account, seq) where account is not null;
-- The log is read by person, newest first.
create index audit_log_actor on audit_log (actor, seq);
-- Recognizes a repeated request.
create index audit_log_request on audit_log (request_id);

-- The last row of the audit log, locked while a row is added so that rows follow each other.
create table audit_tail (
  only_row boolean primary key default true check (only_row),
  seq      bigint not null,
  hash     bytea not null
);
insert into audit_tail (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

-- The text that the hash covers: each field as its length in bytes, a colon and its text, or - for null.
create function {schema}.audit_text(entry {schema}.audit_log) returns text language sql stable
  set search_path = pg_catalog, pg_temp as $$
  select string_agg(coalesce(octet_length(field) || ':' || field, '-'), ',' order by place)
    from unnest(array[
      'postern-audit-1', entry.seq::text, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      entry.actor, entry.role, entry.key_id, entry.source, entry.request_id, entry.action, entry.result, entry.target,
      entry.account, entry.reason, entry.details::text, encode(entry.previous_hash, 'hex'), entry.database_user
    ]) with ordinality as fields (field, place)
$$;

-- Sets number, time, database user and hashes, whatever the writer provides: a user with INSERT cannot forge the chain. It refuses other
-- tables before it assigns anything: a user who put this trigger on a table with a column of their own type would run code with the
-- rights of the owner.
create function {schema}.audit_chain() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  tail {schema}.audit_tail;
begin
  if tg_relid <> '{schema}.audit_log'::regclass then
    raise exception 'audit_chain is for audit_log' using errcode = 'insufficient_privilege';
  end if;
  select * into strict tail from {schema}.audit_tail for update;
  new.seq := tail.seq + 1;
  new.at := date_trunc('milliseconds', clock_timestamp());
  new.database_user := session_user;
  new.previous_hash := tail.hash;
  new.hash := sha256(convert_to({schema}.audit_text(new), 'UTF8'));
  update {schema}.audit_tail set seq = new.seq, hash = new.hash;
  return new;
end $$;
revoke all on function audit_chain from public;

create function audit_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_chain before insert on audit_log for each row execute function audit_chain();
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_append_only();
create trigger audit_tail_append_only before delete or truncate on audit_tail
  for each statement execute function audit_append_only();
alter table audit_log enable always trigger audit_log_chain;
alter table audit_log enable always trigger audit_log_append_only;
alter table audit_tail enable always trigger audit_tail_append_only;

-- Operators ----------------------------------------------------------------------------------------------------------------------------

-- People who run commands or use the console. While there are no operators, commands run as the user of the operating system with every
-- right.
create table operators (
  id          integer generated always as identity primary key,
  name        text not null unique,
  role        text not null check (role in ('viewer', 'support', 'operator', 'admin', 'client')),
  created_at  timestamptz not null default now(),
  created_by  text not null,
  disabled_at timestamptz,
  -- The OpenID provider and its id of the person. Such an operator has neither a key nor a password.
  issuer      text,
  subject     text,
  -- The account that an operator with the role 'client' can reach (`admin/client-scope.ts`).
  account_id  integer references accounts,
  constraint operators_subject unique (issuer, subject),
  constraint operators_provider check ((issuer is null) = (subject is null)),
  -- An operator of a client never becomes an operator of the installation.
  constraint operators_account_check check ((role = 'client') = (account_id is not null))
);
create index operators_account on operators (account_id) where account_id is not null;

-- The keys that operators sign commands and requests with.
create table operator_keys (
  key_id      text primary key,
  operator_id integer not null references operators,
  -- The hexadecimal SHA-256; null once the key was revoked.
  hash        text,
  -- Created by another operator: its owner must replace it before doing anything else.
  initial     boolean not null,
  created_at  timestamptz not null default now(),
  created_by  text not null,
  ends_at     timestamptz,
  revoked_at  timestamptz,
  check ((hash is null) = (revoked_at is not null))
);
create index operator_keys_operator on operator_keys (operator_id);

-- Passwords and second factors for the console.
create table operator_logins (
  operator_id      integer primary key references operators,
  -- argon2id in the PHC string format.
  password_hash    text not null,
  -- Created by another operator: its owner must replace it at the first sign-in.
  password_initial boolean not null,
  password_at      timestamptz not null default now(),
  -- Set with a key, or replaces one that was: it must not outlive the keys of the operator.
  password_by_key  boolean not null default false,
  -- The secret in base32, encrypted with a master key. It is only offered while totp_at is null.
  totp_secret      text,
  totp_at          timestamptz,
  -- The time step of the last code used: a code counts once.
  totp_step        bigint not null default 0,
  -- Wrong codes with the right password since the last session began, over all processes.
  wrong_codes      integer not null default 0,
  -- The networks of the last sign-ins. Wrong tries from elsewhere do not delay sign-ins from these.
  networks         text[] not null default '{}'
);

-- Recovery codes. A row is deleted when its code is used.
create table operator_recovery_codes (
  operator_id integer not null references operator_logins,
  -- The hexadecimal SHA-256.
  hash        text not null,
  primary key (operator_id, hash)
);

-- Console sessions.
create table operator_sessions (
  id          text primary key,
  -- The hexadecimal SHA-256 of the cookie.
  hash        text not null unique,
  operator_id integer not null references operators,
  method      text not null check (method in ('password', 'oidc')),
  address     text not null,
  agent       text not null,
  created_at  timestamptz not null default now(),
  used_at     timestamptz not null default now(),
  ends_at     timestamptz not null
);
create index operator_sessions_operator on operator_sessions (operator_id, created_at);

-- A database user for commands can neither change operators nor read or set hashes directly. The following functions do it, and require
-- proof: the id and hash of an operator's key, or the hash of the password.

create function {schema}.operator_key_matches(signing_key text, signing_hash text) returns boolean language sql stable security definer
  set search_path = pg_catalog, pg_temp as $$
  select exists (select from {schema}.operator_keys where key_id = signing_key and hash = signing_hash)
$$;

-- Returns the operator of the key; null for the table owner and while there are no operators. Refuses everyone else.
create function {schema}.signing_operator(signing_key text, signing_hash text, admin boolean) returns {schema}.operators language plpgsql
  set search_path = pg_catalog, pg_temp as $$
declare
  found_operator {schema}.operators;
begin
  -- One change at a time, so that two of them do not disable the last two admins.
  lock table {schema}.operators in share row exclusive mode;
  select o.* into found_operator from {schema}.operator_keys k join {schema}.operators o on o.id = k.operator_id
   where k.key_id = signing_key and k.hash = signing_hash and (k.ends_at is null or k.ends_at > now())
     and o.disabled_at is null and (not admin or (o.role = 'admin' and not k.initial));
  if found then return found_operator; end if;
  if not exists (select from {schema}.operators) or pg_has_role(session_user,
       (select relowner from pg_class where oid = '{schema}.operators'::regclass), 'USAGE') then
    return null;
  end if;
  raise exception 'operators are changed with the key of an admin, or as the owner of the tables'
    using errcode = 'insufficient_privilege';
end $$;

-- Adds an operator with a first key. Returns null if the name is already in use.
create function {schema}.add_operator(signing_key text, signing_hash text, new_name text, new_role text, writer text, new_key text,
  new_hash text, key_ends timestamptz, new_account integer default null) returns integer language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  signing {schema}.operators := {schema}.signing_operator(signing_key, signing_hash, true);
  new_id integer;
begin
  if new_role <> 'admin' and not exists (select from {schema}.operators) then
    raise exception 'the first operator must be an admin' using errcode = 'insufficient_privilege';
  end if;
  insert into {schema}.operators (name, role, created_by, account_id)
  values (new_name, new_role, coalesce(signing.name, writer), new_account)
    on conflict (name) do nothing returning id into new_id;
  if new_id is not null then
    insert into {schema}.operator_keys (key_id, operator_id, hash, initial, created_by, ends_at)
    values (new_key, new_id, new_hash, true, coalesce(signing.name, writer), key_ends);
  end if;
  return new_id;
end $$;

-- Null leaves a value unchanged. Sessions that end when the operator is disabled do not return when it is enabled again.
create function {schema}.change_operator(signing_key text, signing_hash text, changed integer, new_role text, disabled boolean) returns
  void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
begin
  perform {schema}.signing_operator(signing_key, signing_hash, true);
  update {schema}.operators set role = coalesce(new_role, role), disabled_at = case when disabled is null then disabled_at
                                                                                when disabled then coalesce(disabled_at, now()) end
   where id = changed;
  if disabled then delete from {schema}.operator_sessions where operator_id = changed; end if;
end $$;

-- An admin adds a first key; the operator adds any other, signed by a key that ends no earlier.
create function {schema}.add_operator_key(signing_key text, signing_hash text, new_key text, key_operator integer, new_hash text,
  is_initial boolean, writer text, key_ends timestamptz) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  signing {schema}.operators := {schema}.signing_operator(signing_key, signing_hash, is_initial);
begin
  if not is_initial and (signing.id is distinct from key_operator or not exists (
       select from {schema}.operator_keys k where k.key_id = signing_key and (k.ends_at is null or key_ends <= k.ends_at))) then
    raise exception 'only its operator can create a key that is not initial, and it must not outlive the signing key'
      using errcode = 'insufficient_privilege';
  end if;
  -- The provider decides the role of such an operator: a key would outlive the person's account there.
  if exists (select from {schema}.operators where id = key_operator and issuer is not null) then
    raise exception 'an operator of an OpenID provider has no key' using errcode = 'insufficient_privilege';
  end if;
  insert into {schema}.operator_keys (key_id, operator_id, hash, initial, created_by, ends_at)
  values (new_key, key_operator, new_hash, is_initial, coalesce(signing.name, writer), key_ends);
end $$;

-- Revokes a key, for an admin or its operator: erases the hash. Returns false if the key does not exist or was already revoked. A key that
-- signs its own revocation was replaced by its operator. Any other may have leaked, so what was begun with it ends as well.
create function {schema}.revoke_operator_key(signing_key text, signing_hash text, revoked text) returns boolean language plpgsql security
  definer
  set search_path = pg_catalog, pg_temp as $$
declare
  signing {schema}.operators := {schema}.signing_operator(signing_key, signing_hash, false);
  key_operator integer;
begin
  if signing.id is not null and not exists (
       select from {schema}.operator_keys where key_id = revoked and operator_id = signing.id) then
    perform {schema}.signing_operator(signing_key, signing_hash, true);
  end if;
  update {schema}.operator_keys set hash = null, revoked_at = now() where key_id = revoked and revoked_at is null
    returning operator_id into key_operator;
  if not found then return false; end if;
  if revoked is distinct from signing_key then
    delete from {schema}.operator_sessions where operator_id = key_operator;
    delete from {schema}.operator_recovery_codes c using {schema}.operator_logins l
     where c.operator_id = key_operator and l.operator_id = key_operator and l.password_by_key;
    delete from {schema}.operator_logins where operator_id = key_operator and password_by_key;
  end if;
  return true;
end $$;

-- An admin sets a first password; the operator sets any other, with a key that does not expire. Ends the operator's sessions.
create function {schema}.set_operator_password(signing_key text, signing_hash text, changed integer, new_hash text, is_initial boolean)
  returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  signing {schema}.operators := {schema}.signing_operator(signing_key, signing_hash, is_initial);
begin
  if not is_initial and signing.id is distinct from changed then
    raise exception 'a password that is not a first one is set by its operator' using errcode = 'insufficient_privilege';
  end if;
  if not is_initial and exists (select from {schema}.operator_keys where key_id = signing_key and ends_at is not null) then
    raise exception 'a password would outlive the key, which ends; an admin gives a first password'
      using errcode = 'insufficient_privilege';
  end if;
  if exists (select from {schema}.operators where id = changed and issuer is not null) then
    raise exception 'an operator of an OpenID provider has no password' using errcode = 'insufficient_privilege';
  end if;
  insert into {schema}.operator_logins (operator_id, password_hash, password_initial, password_by_key)
  values (changed, new_hash, is_initial, not is_initial)
    on conflict (operator_id) do update
      set password_hash = new_hash, password_initial = is_initial, password_by_key = not is_initial, password_at = now();
  delete from {schema}.operator_sessions where operator_id = changed;
end $$;

-- Removes the second factor of an operator, who enrols again at the next sign-in. For admins. Returns false if nothing was enrolled.
create function {schema}.reset_operator_totp(signing_key text, signing_hash text, changed integer) returns boolean language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  enrolled boolean;
begin
  perform {schema}.signing_operator(signing_key, signing_hash, true);
  select totp_at is not null into enrolled from {schema}.operator_logins where operator_id = changed for update;
  update {schema}.operator_logins set totp_secret = null, totp_at = null, totp_step = 0, wrong_codes = 0
   where operator_id = changed;
  delete from {schema}.operator_recovery_codes where operator_id = changed;
  delete from {schema}.operator_sessions where operator_id = changed;
  return coalesce(enrolled, false);
end $$;

-- Returns the parameters of the password hash and the known networks; no row if the sign-in does not exist.
create function {schema}.operator_password_salt(operator_name text, out salt text, out networks text[]) returns setof record language sql
  stable security definer
  set search_path = pg_catalog, pg_temp as $$
  select regexp_replace(l.password_hash, '[^$]*$', ''), l.networks
    from {schema}.operators o join {schema}.operator_logins l on l.operator_id = o.id
   where o.name = operator_name and o.disabled_at is null and o.issuer is null
$$;

create function {schema}.read_operator_login(operator_name text, given_hash text, recovery_hash text, out operator_id integer, out role
  text, out initial boolean, out totp_secret text, out enrolled boolean, out totp_step bigint, out wrong_codes integer, out recovery_known
  boolean) returns setof record language sql stable security definer
  set search_path = pg_catalog, pg_temp as $$
  select o.id, o.role, l.password_initial, l.totp_secret, l.totp_at is not null, l.totp_step, l.wrong_codes,
         exists (select from {schema}.operator_recovery_codes c where c.operator_id = o.id and c.hash = recovery_hash)
    from {schema}.operators o join {schema}.operator_logins l on l.operator_id = o.id
   where o.name = operator_name and o.disabled_at is null and o.issuer is null and l.password_hash = given_hash
$$;

-- Counts only with the right password, so no one else can force an operator to use a recovery code.
create function {schema}.count_wrong_code(operator_name text, given_hash text) returns void language sql security definer
  set search_path = pg_catalog, pg_temp as $$
  update {schema}.operator_logins l set wrong_codes = l.wrong_codes + 1 from {schema}.operators o
   where o.id = l.operator_id and o.name = operator_name and o.disabled_at is null and o.issuer is null
     and l.password_hash = given_hash and l.totp_at is not null and l.wrong_codes < 1000000
$$;

-- Offers a secret to an operator who has none. Only the last secret offered can be confirmed.
create function {schema}.offer_operator_totp(operator_name text, given_hash text, new_secret text) returns boolean language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp as $$
begin
  update {schema}.operator_logins l set totp_secret = new_secret from {schema}.operators o
   where o.id = l.operator_id and o.name = operator_name and o.disabled_at is null and o.issuer is null
     and l.password_hash = given_hash and l.totp_at is null;
  return found;
end $$;

-- Stores the same secret encrypted under another key. An encrypted value is of no use without the key of the installation.
create function {schema}.replace_totp_secret(changed integer, former text, new_secret text) returns boolean language plpgsql security
  definer
  set search_path = pg_catalog, pg_temp as $$
begin
  if not starts_with(new_secret, 'enc:') then
    raise exception 'the secret must be encrypted' using errcode = 'insufficient_privilege';
  end if;
  update {schema}.operator_logins set totp_secret = new_secret where operator_id = changed and totp_secret = former;
  return found;
end $$;

-- Only other functions call it. An operator has 20 sessions at most; the oldest end.
create function {schema}.add_operator_session(new_operator integer, new_method text, new_id text, new_hash text, seconds integer,
  new_address text, new_agent text) returns void language plpgsql
  set search_path = pg_catalog, pg_temp as $$
begin
  delete from {schema}.operator_sessions where ends_at <= now();
  delete from {schema}.operator_sessions where operator_id = new_operator and id not in (
    select id from {schema}.operator_sessions where operator_id = new_operator order by created_at desc, id limit 19);
  insert into {schema}.operator_sessions (id, hash, operator_id, method, address, agent, ends_at)
  values (new_id, new_hash, new_operator, new_method, left(new_address, 64), left(new_agent, 200),
          now() + make_interval(secs => least(seconds, 2592000)));
end $$;

-- Needs the step of a code or the hash of a recovery code; each counts once. The first code confirms the secret that was offered and
-- needs the hashes of recovery codes. After 30 wrong codes only a recovery code counts. Returns false if one of them does not count, or
-- if a new password is needed.
create function {schema}.start_operator_session(operator_name text, given_hash text, new_hash text, step bigint, checked_secret text,
  recovery_hash text, recovery_hashes text[], network text, session_id text, session_hash text, seconds integer, session_address text,
  session_agent text) returns boolean language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  login {schema}.operator_logins;
begin
  select l.* into login from {schema}.operators o join {schema}.operator_logins l on l.operator_id = o.id
   where o.name = operator_name and o.disabled_at is null and o.issuer is null and l.password_hash = given_hash
     for update of l for share of o;
  if not found or login.totp_secret is null or (login.password_initial and new_hash is null) then return false; end if;
  if step is not null then
    if step <= login.totp_step or login.totp_secret is distinct from checked_secret or login.wrong_codes >= 30
       or (login.totp_at is null and coalesce(cardinality(recovery_hashes), 0) not between 1 and 20) then
      return false;
    end if;
  else
    if login.totp_at is null or recovery_hash is null then return false; end if;
    delete from {schema}.operator_recovery_codes where operator_id = login.operator_id and hash = recovery_hash;
    if not found then return false; end if;
  end if;
  if login.totp_at is null then
    delete from {schema}.operator_recovery_codes where operator_id = login.operator_id;
    insert into {schema}.operator_recovery_codes (operator_id, hash) select login.operator_id, unnest(recovery_hashes);
  end if;
  update {schema}.operator_logins
     set totp_step = coalesce(step, totp_step), totp_at = coalesce(totp_at, now()), password_initial = false, wrong_codes = 0,
         password_hash = coalesce(new_hash, password_hash),
         password_at = case when new_hash is null then password_at else now() end,
         networks = (array[left(network, 64)] || array_remove(networks, left(network, 64)))[1:8]
   where operator_id = login.operator_id;
  if new_hash is not null then delete from {schema}.operator_sessions where operator_id = login.operator_id; end if;
  perform {schema}.add_operator_session(login.operator_id, 'password', session_id, session_hash, seconds, session_address, session_agent);
  return true;
end $$;

-- Starts a session of a person whom an OpenID provider has authenticated. The first sign-in creates the operator; the provider decides
-- the role.
create function {schema}.start_provider_session(provider text, person text, new_name text, new_role text, session_id text, session_hash
  text, seconds integer, session_address text, session_agent text, out outcome text, out operator_name text, out former_role text)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  known {schema}.operators;
begin
  lock table {schema}.operators in share row exclusive mode;
  if not exists (select from {schema}.operators) then outcome := 'no operators'; return; end if;
  select * into known from {schema}.operators where issuer = provider and subject = person;
  if not found then
    if exists (select from {schema}.operators where name = new_name) then outcome := 'name taken'; return; end if;
    insert into {schema}.operators (name, role, created_by, issuer, subject) values (new_name, new_role, 'oidc', provider, person)
      returning * into known;
  else
    former_role := known.role;
    if known.disabled_at is not null then outcome := 'disabled'; operator_name := known.name; return; end if;
    update {schema}.operators set role = new_role where id = known.id and role <> new_role;
  end if;
  perform {schema}.add_operator_session(known.id, 'oidc', session_id, session_hash, seconds, session_address, session_agent);
  outcome := 'started';
  operator_name := known.name;
end $$;

-- Ends the sessions of a person to whom the provider no longer gives a role. The name is null if the person is not an operator.
create function {schema}.end_provider_sessions(provider text, person text, out operator_name text, out ended integer) language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  known {schema}.operators;
begin
  select * into known from {schema}.operators where issuer = provider and subject = person;
  delete from {schema}.operator_sessions where operator_id = known.id;
  get diagnostics ended = row_count;
  operator_name := known.name;
end $$;

revoke all on function operator_key_matches, signing_operator, add_operator, change_operator, add_operator_key, revoke_operator_key,
  set_operator_password, reset_operator_totp, operator_password_salt, read_operator_login, count_wrong_code, offer_operator_totp,
  replace_totp_secret, add_operator_session, start_operator_session, start_provider_session, end_provider_sessions from public;

-- Ledger, usage and maintenance --------------------------------------------------------------------------------------------------------

-- Counts appended in the transaction that recorded or closed messages, so that accepted = closed + in flight can be checked against the
-- rows. A worker aggregates them into one row per account and day.
create table ledger (
  day        date not null,
  account_id integer not null,
  accepted   bigint not null,
  closed     bigint not null,
  folded     boolean not null default false,
  -- Messages recorded, by the API process and minute that confirmed them; aggregated into gate_counts.
  recorded   bigint not null default 0,
  process    text,
  minute     timestamptz,
  id         bigint generated always as identity primary key
);
create unique index ledger_folded on ledger (day, account_id) where folded;
create index ledger_appended on ledger (account_id) where not folded;

-- Messages that the broker confirmed, counted by the API process that accepted them, and how many of them were recorded or parked. More
-- confirmed than recorded means that the intake queue lost messages.
create table gate_counts (
  minute     timestamptz not null,
  process    text collate "C" not null,
  account_id integer not null,
  confirmed  bigint not null,
  recorded   bigint not null,
  primary key (minute, process, account_id)
) with (fillfactor = 70);

-- The result of the last ledger check. Every worker shows it.
create table ledger_checks (
  id               boolean primary key default true check (id),
  checked_at       timestamptz not null,
  gap              bigint not null,
  -- How many checks in a row have found a gap.
  consecutive_gaps integer not null,
  took_ms          integer not null,
  -- Until when the intake queue was checked, and how many messages are missing.
  gate_until       timestamptz,
  gate_gap         bigint not null default 0
);

-- Usage appended in the transaction that closed the messages. A worker adds it to usage_days.
create table usage_deltas (
  -- When the messages were accepted, to the quarter of an hour: in every time zone a day begins at one.
  quarter      timestamptz not null,
  account_id   integer not null,
  channel      text not null,
  carrier      text not null,
  outcome      text not null,
  payment_code text not null,
  messages     bigint not null,
  steps        bigint not null,
  parts        bigint not null,
  id           bigint generated always as identity primary key
);

-- Usage by day of the configured time zone.
create table usage_days (
  account_id   integer not null,
  day          date not null,
  channel      text not null,
  carrier      text not null,
  outcome      text not null,
  -- Empty if the send had none.
  payment_code text not null,
  messages     bigint not null,
  steps        bigint not null,
  parts        bigint not null,
  primary key (account_id, day, channel, carrier, outcome, payment_code)
) with (fillfactor = 70);
