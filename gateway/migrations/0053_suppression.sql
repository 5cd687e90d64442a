-- What recipients have decided about advertisements. The recipient is a blind index, made with the account; account 0 stands
-- for every account. A choice that was taken back stays with the state none, so that running processes notice.
create table recipient_choices (
  account_id integer not null,
  recipient bytea not null constraint recipient_choices_recipient_check check (length(recipient) = 16),
  state text not null constraint recipient_choices_state_check check (state in ('suppressed', 'agreed', 'none')),
  -- The agreement includes the night.
  night boolean not null default false,
  since timestamptz not null,
  source text not null,
  reason text not null,
  version bigint not null,
  primary key (account_id, recipient)
);
create index recipient_choices_version on recipient_choices (version);

insert into trust_versions (topic) values ('suppression');
insert into trust_rules (rule, enabled, changed_by, reason)
values ('advertisement-consent', false, 'migration', 'off until consents are recorded');
