-- Every act of an operator and every look at personal data. Rows are only added, each with the hash of the one before it:
-- `postern audit verify` finds a row that was changed, removed or moved. Numbers are masked, and no secret is stored.
create table audit_log (
  seq           bigint primary key,
  at            timestamptz not null,
  -- An operator's name, or the user of the system where there are no operators.
  actor         text not null,
  role          text not null,
  -- The key that the operator signed in with.
  key_id        text,
  -- The host of a command, the address of a request.
  source        text not null,
  request_id    text not null,
  action        text not null,
  -- What cannot be done in one transaction is recorded when it begins and when it ends.
  result        text not null check (result in ('done', 'begun', 'failed', 'refused', 'looked')),
  target        text not null,
  -- The client id, where it concerns an account.
  account       text,
  reason        text not null,
  -- Text as it was written: the hash covers it.
  details       json not null,
  previous_hash bytea not null,
  hash          bytea not null
);
create index audit_log_account on audit_log (account, seq) where account is not null;

-- The last row. Locked while a row is added, so that rows follow each other.
create table audit_tail (
  only_row boolean primary key default true check (only_row),
  seq      bigint not null,
  hash     bytea not null
);
insert into audit_tail (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

-- What the hash covers: each field as its length in bytes, a colon and its text, or - for null.
create function audit_text(entry audit_log) returns text language sql stable set search_path from current as $$
  select string_agg(coalesce(octet_length(field) || ':' || field, '-'), ',' order by place)
    from unnest(array[
      'postern-audit-1', entry.seq::text, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      entry.actor, entry.role, entry.key_id, entry.source, entry.request_id, entry.action, entry.result, entry.target,
      entry.account, entry.reason, entry.details::text, encode(entry.previous_hash, 'hex')
    ]) with ordinality as fields (field, place)
$$;

-- Number, time and hashes are set here, whatever the writer gives: who may insert cannot forge the chain. It runs with the rights of
-- its owner, so that it must not find a temporary table of the writer: unless the path names them, they come first.
do $$ begin
  perform set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
end $$;
create function audit_chain() returns trigger language plpgsql security definer set search_path from current as $$
declare
  tail audit_tail;
begin
  select * into strict tail from audit_tail for update;
  new.seq := tail.seq + 1;
  new.at := date_trunc('milliseconds', clock_timestamp());
  new.previous_hash := tail.hash;
  new.hash := sha256(convert_to(audit_text(new), 'UTF8'));
  update audit_tail set seq = new.seq, hash = new.hash;
  return new;
end
$$;

create function audit_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end
$$;

create trigger audit_log_chain before insert on audit_log for each row execute function audit_chain();
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_append_only();
create trigger audit_tail_append_only before delete or truncate on audit_tail
  for each statement execute function audit_append_only();
alter table audit_log enable always trigger audit_log_chain;
alter table audit_log enable always trigger audit_log_append_only;
alter table audit_tail enable always trigger audit_tail_append_only;
