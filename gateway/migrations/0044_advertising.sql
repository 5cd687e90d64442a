-- Advertisements: what is set for accounts, and the hours in which none are sent.
create table account_advertising (
  account_id integer primary key,
  -- Every text of the account is one, marked or not.
  advertiser boolean not null default false,
  names text[] not null default '{}',
  opt_out_numbers text[] not null default '{}'
);

-- Account 0: every account that has no row of its own. Channel *: every channel. Minutes after midnight in Korea.
create table quiet_hours (
  account_id integer not null,
  channel text collate "C" not null,
  opens_at smallint not null,
  closes_at smallint not null,
  choice text not null constraint quiet_hours_choice_check check (choice in ('refuse', 'hold', 'next-step')),
  primary key (account_id, channel),
  -- The law forbids advertisements from 21:00 to 08:00.
  constraint quiet_hours_law_check check (opens_at >= 480 and closes_at <= 1260 and opens_at < closes_at)
);

insert into trust_versions (topic) values ('advertising'), ('quiet-hours');

-- On in a new installation where the law or the carriers demand it.
insert into trust_rules (rule, enabled, changed_by, reason)
select rule, on_by_law and not exists (select from accounts), 'migration',
       case when exists (select from accounts) then 'the installation was in use before the rule' else 'a new installation' end
  from (values ('advertisement-mark', true), ('advertisement-opt-out', true), ('advertisement-sender-name', false),
               ('advertisement-opt-out-registered', false), ('rcs-advertisement-header', true),
               ('alimtalk-not-advertisement', true), ('advertisement-quiet-hours', true),
               ('advertisement-country-hours', true)) as r (rule, on_by_law);
