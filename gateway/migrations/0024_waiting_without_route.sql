-- Whether a step without a route is due: one probe for each lane, however many are scheduled for later.
create index waiting_unrouted on waiting (lane, release_at) where route_id = '';
