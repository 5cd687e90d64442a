-- A webhook whose receiver has not proved yet that it holds the secret is disabled.
alter table webhooks drop constraint webhooks_disabled_reason_check,
  add constraint webhooks_disabled_reason_check check (disabled_reason in ('owner', 'gone', 'failing', 'unproved'));
