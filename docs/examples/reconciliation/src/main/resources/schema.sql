create table if not exists message (
  id varchar(32) primary key,
  sent_on date not null,
  -- The response to the send sets it.
  msg_key varchar(32) unique,
  -- Set by this job only; null until it reads the last report.
  outcome varchar(10)
);
-- Messages of the gateway that have no row.
create table if not exists stray (msg_key varchar(32) primary key, ref varchar(200), outcome varchar(10));
create table if not exists stream_position (stream varchar(10) primary key, next_cursor varchar(200));
