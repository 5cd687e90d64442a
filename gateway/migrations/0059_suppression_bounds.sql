-- How many choices an account has, so that its bounds are checked without counting rows. Its row is locked by every change of the
-- account's choices: one at a time, and before the lock that all accounts share. Processes of an older version do not count; the
-- bounds are far above what that can miss.
create table suppression_counts (
  account_id integer primary key,
  suppressed integer not null default 0,
  agreed integer not null default 0,
  -- Choices that were taken back through the API on that day, in UTC.
  removals_on date not null default '1970-01-01',
  removals integer not null default 0
);
insert into suppression_counts (account_id, suppressed, agreed)
select account_id, count(*) filter (where state = 'suppressed'), count(*) filter (where state = 'agreed')
  from recipient_choices group by account_id;

-- Choices before the present one, for `postern suppression show`. Rows are removed after a year.
create table recipient_choice_history (
  account_id integer not null,
  recipient bytea not null,
  state text not null,
  night boolean not null,
  since timestamptz not null,
  source text not null,
  reason text not null,
  ended_at timestamptz not null default now()
);
create index recipient_choice_history_recipient on recipient_choice_history (account_id, recipient, ended_at);
create index recipient_choice_history_ended on recipient_choice_history (ended_at);

-- A choice that was taken back is removed when every process has noticed.
alter table recipient_choices add column changed_at timestamptz not null default now();
create index recipient_choices_taken_back on recipient_choices (changed_at) where state = 'none';
