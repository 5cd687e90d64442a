-- The route and token of a claim whose submission may be repeated: the next owner of the route takes it over.
alter table in_flight add column claim_route text;
