-- Routes whose queues exist: written before the queues are declared, removed after they are deleted. A process that starts
-- learns here of a deleted route whose queues may still hold jobs.
create table route_queues (
  route_id text primary key,
  declared_at timestamptz not null default now()
);
