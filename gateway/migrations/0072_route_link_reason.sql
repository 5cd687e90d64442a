-- Why a route is not linked, as its carrier or the network says it: for operators. Null while it is linked, or nothing is known.
alter table route_states add column link_reason text;
