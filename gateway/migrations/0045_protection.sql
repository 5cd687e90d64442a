-- What protects accounts against abuse: set by the operator, and read into memory by every process.
create table account_protection (
  account_id integer primary key,
  countries text[] not null default '{}',
  on_suspicion text not null default 'refuse'
    constraint account_protection_on_suspicion_check check (on_suspicion in ('refuse', 'hold')),
  recipient_per_hour integer,
  prefix_per_10_minutes integer,
  links text not null default 'any'
    constraint account_protection_links_check check (links in ('any', 'no-shorteners', 'listed')),
  link_domains text[] not null default '{}',
  safe_numbers text[] not null default '{}'
);

create table account_caps (
  account_id integer not null,
  period text not null constraint account_caps_period_check check (period in ('day', 'month')),
  class text not null,
  max bigint not null constraint account_caps_max_check check (max >= 0),
  constraint account_caps_pkey primary key (account_id, class, period)
);

-- What is used of each cap, with what API processes have reserved. A few rows per account with caps, updated often.
create table cap_counts (
  account_id integer not null,
  period text not null,
  class text not null,
  begins text collate "C" not null,
  used bigint not null,
  constraint cap_counts_pkey primary key (account_id, class, begins, period)
) with (fillfactor = 50);

insert into trust_versions (topic) values ('abuse');
insert into trust_rules (rule, enabled, changed_by, reason)
select 'premium-recipient', not exists (select from accounts), 'migration',
       case when exists (select from accounts) then 'the installation was in use before the rule' else 'a new installation' end;
-- Accounts that exist keep sending to every country; a new one has none until it is set. Nothing is refused for its links
-- before they are set.
insert into account_protection (account_id, countries) select id, '{*}' from accounts;
insert into trust_rules (rule, enabled, changed_by, reason)
select rule, true, 'migration', 'by default' from unnest(array['country-enabled', 'link-allowed']) as rule;

-- As every change of a version does, see 0042.
create or replace function raise_stops_version() returns trigger language plpgsql as $$
begin
  update trust_versions set version = version + 1, mark = gen_random_uuid() where topic = 'stops';
  return null;
end $$;
