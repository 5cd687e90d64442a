-- Who sent to whom and when, without content, kept longer than the messages when the operator wants it. The recipient is an HMAC of
-- account and number. One partition a month of msgKeys; the default one takes what has no month yet.
create table traffic_records (
  msg_key         text collate "C" not null,
  account_id      integer not null,
  recipient_index bytea not null,
  channel         text not null,
  report_code     text not null,
  sent_at         timestamptz not null
) partition by range (msg_key);
create table traffic_records_default partition of traffic_records default;
-- For the record that is written when the message closes.
alter table in_flight add column recipient_index bytea;
