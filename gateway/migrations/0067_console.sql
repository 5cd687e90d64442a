-- What an operator lets a route do while it is linked. paused: nothing is submitted, and messages that no other route serves wait for it.
-- draining: it takes nothing new, what waits for it moves to other routes, and it stays linked for the receipts that it is owed.
alter table routes add column traffic text not null default 'open'
  constraint routes_traffic_check check (traffic in ('open', 'paused', 'draining'));

-- For whoever watches: steps that reached the route, and parts that it submitted, per second; and parts that wait in its memory.
alter table route_states
  add column arrivals real not null default 0,
  add column submitted real not null default 0,
  add column queued integer not null default 0;

-- Who did what, by person: the log is read newest first.
create index audit_log_actor on audit_log (actor, seq);
-- By which a request that is repeated is recognized.
create index audit_log_request on audit_log (request_id);

-- Search by reference, recipient and report code (docs/adr/0043). Each range of pages has a filter of the values in it: a filter is written
-- once for hundreds of rows, so that an insert pays almost nothing. Of days from now on: building them for past days would lock these.
create index messages_ref on only messages using brin (ref text_bloom_ops (n_distinct_per_range = 1000))
  with (pages_per_range = 32, autosummarize = on);
create index messages_recipient on only messages
  using brin (recipient text_bloom_ops (n_distinct_per_range = 1000), recipient_index bytea_bloom_ops (n_distinct_per_range = 1000))
  with (pages_per_range = 32, autosummarize = on);
create index reports_code on only reports using brin (report_code text_bloom_ops (n_distinct_per_range = 32))
  with (pages_per_range = 32, autosummarize = on);
