-- Blocking an account stops what it has accepted, too. `close`: its waiting messages end at once. `hold`: they wait until
-- the account is unblocked, or until their deadline.
alter table accounts add column blocked_backlog text not null default 'close'
  constraint accounts_blocked_backlog_check check (blocked_backlog in ('close', 'hold'));

-- Every time an account was blocked: by whom, why, what its customer was told, and what became of its messages.
create table account_stops (
  id bigint generated always as identity primary key,
  account_id integer not null,
  at timestamptz not null default now(),
  by text not null,
  reason text not null,
  notice text,
  backlog text not null constraint account_stops_backlog_check check (backlog in ('close', 'hold')),
  -- The last report before it: later ones count as ended by it.
  report_seq bigint not null,
  webhooks integer not null,
  submitted integer,
  closed integer,
  held integer,
  ended_at timestamptz,
  ended_by text,
  ended_reason text
);
create index account_stops_account on account_stops (account_id, id);

-- Workers read which accounts are stopped when this version changes. A trigger: an older command line and an account move
-- change the column, too.
insert into trust_versions (topic) values ('stops');
create function raise_stops_version() returns trigger language plpgsql as $$
begin
  update trust_versions set version = version + 1 where topic = 'stops';
  return null;
end $$;
create trigger accounts_stops after update of blocked, blocked_backlog on accounts for each row
  when ((old.blocked, old.blocked_backlog) is distinct from (new.blocked, new.blocked_backlog))
  execute function raise_stops_version();
create trigger accounts_stops_insert after insert on accounts for each row when (new.blocked)
  execute function raise_stops_version();

-- When a step that an operator holds would have been released.
alter table waiting add column resume_at timestamptz;

-- A step that a rule of trust holds, and which rule.
alter table waiting add column if not exists rule text;
alter table waiting drop constraint waiting_reason_check;
-- Not validated here: it would read every row under the lock, and this transaction has locked accounts, too. 0055 validates it.
alter table waiting add constraint waiting_reason_check
  check (reason in ('owed', 'backlog', 'scheduled', 'retry', 'moved', 'rule')) not valid;
