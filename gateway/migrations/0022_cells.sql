-- An account can move to another cell. In the cell that it leaves, served_by names the cell that serves it from now on; in
-- the cell that it enters, served_by names the old one until everything is copied. While moving_until is in the future no cell
-- serves it. cursor_id is the account id in the cursors of its report stream: that of its first cell, so that cursors which a
-- client has stored stay valid.
alter table accounts
  add column served_by text check (served_by ~ '^[0-9A-Z]{2}$'),
  add column moving_until timestamptz,
  add column cursor_id integer;

-- In the cell that an account enters: how far its move is. The positions are committed together with what they count, so a
-- repeated run neither skips nor repeats a report.
create table account_moves (
  account_id integer primary key,
  from_cell text not null,
  -- Its id in the cell that it leaves.
  source_id integer not null,
  started_at timestamptz not null default now(),
  -- Reports up to this number are copied, with their numbers.
  copied_seq bigint not null default 0,
  -- When this cell began to serve it.
  opened_at timestamptz,
  -- Reports that the old cell wrote later are forwarded up to this number and get new numbers here.
  forwarded_seq bigint,
  -- When nothing was open in the old cell any more and its usage was added here.
  ended_at timestamptz
);
