-- A route may have several owners. Each runs a share of it with an equal part of its rate; `route_states.owners` is the
-- number of owners by which the owner of a share has divided the rate, so that its siblings can wait until all agree.
alter table routes add column owners smallint not null default 1
  constraint routes_owners_check check (owners between 1 and 16);
alter table route_states add column owners smallint not null default 1;
