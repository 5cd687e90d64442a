-- Who may send from what. `trust_rules` says which rules of `gateway/src/trust/rules.ts` are on: an installation that has
-- no account yet begins with them on, one that is upgraded keeps sending as before until its operator turns them on.
create table trust_rules (
  rule text collate "C" primary key,
  enabled boolean not null,
  changed_at timestamptz not null default now(),
  changed_by text not null,
  reason text not null
);
insert into trust_rules (rule, enabled, changed_by, reason)
select rule, not exists (select from accounts), 'migration',
       case when exists (select from accounts) then 'the installation was in use before the rule' else 'a new installation' end
  from unnest(array['sender-number-shape', 'sender-number-registered', 'international-sender-registered',
                    'rcs-chatbot-registered', 'rcs-brand-registered', 'kakao-key-registered', 'origin-code-owned']) as rule;

-- One row per topic, raised by every change of its tables: processes poll it. Its row lock orders the changes, so that a
-- process that has read a version has read every row up to it.
create table trust_versions (
  topic text collate "C" primary key,
  version bigint not null default 1
);
insert into trust_versions (topic) values ('rules'), ('accounts'), ('senders');

create table account_trust (
  account_id integer primary key,
  kind text not null default 'customer' constraint account_trust_kind_check check (kind in ('customer', 'reseller')),
  sandbox boolean not null default false,
  origin_codes text[] not null default '{}'
);

create table senders (
  id bigint generated always as identity primary key,
  account_id integer not null,
  kind text collate "C" not null,
  value text collate "C" not null,
  state text not null constraint senders_state_check check (state in ('pending', 'rejected', 'active', 'blocked')),
  valid_until timestamptz,
  proof_kind text,
  proof_reference text,
  proof_issued date,
  version bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint senders_value_key unique (account_id, kind, value)
);
create index senders_version on senders (version);

-- Who changed the state of a sender, when, and why. Never updated.
create table sender_changes (
  id bigint generated always as identity primary key,
  sender_id bigint not null references senders on delete cascade,
  at timestamptz not null default now(),
  by text not null,
  from_state text,
  to_state text not null,
  valid_until timestamptz,
  reason text not null
);
create index sender_changes_sender on sender_changes (sender_id, id);
