-- Parts that may be released to each lane of a route now without waiting.
alter table route_states rename column urgent_room to urgent_capacity;
alter table route_states rename column normal_room to normal_capacity;
alter table route_states rename column bulk_room to bulk_capacity;
