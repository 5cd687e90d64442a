-- One-time codes that accounts sent and that were used, by country and UTC day. Only accounts whose clients report it have
-- rows, kept for some days.
create table conversion_counts (
  account_id integer not null,
  country text not null,
  day text collate "C" not null,
  codes bigint not null default 0,
  converted bigint not null default 0,
  constraint conversion_counts_pkey primary key (account_id, country, day)
) with (fillfactor = 50);

-- Each message counts once.
create table conversions (
  msg_key text collate "C" not null,
  day text collate "C" not null,
  constraint conversions_pkey primary key (msg_key)
);
create index conversions_day on conversions (day);

insert into trust_rules (rule, enabled, changed_by, reason)
values ('low-conversion', false, 'migration', 'off until clients report which codes were used');
