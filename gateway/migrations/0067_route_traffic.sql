-- What an operator lets a route do while it is linked. paused: nothing is submitted, and messages that no other route serves wait for it.
-- draining: it takes nothing new, what waits for it moves to other routes, and it stays linked for the receipts that it is owed.
alter table routes add column traffic text not null default 'open'
  constraint routes_traffic_check check (traffic in ('open', 'paused', 'draining'));

-- For whoever watches: steps that reached the route, and parts that it submitted, per second; and parts that wait in its memory.
alter table route_states
  add column arrivals real not null default 0,
  add column submitted real not null default 0,
  add column queued integer not null default 0;
