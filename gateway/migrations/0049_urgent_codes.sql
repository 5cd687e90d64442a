-- `codes`: the lane follows from the kind of message, and only one-time codes are urgent. Set it when every process runs this
-- version: older ones know no such lane.
alter table accounts drop constraint accounts_lane_check;
alter table accounts add constraint accounts_lane_check check (lane in ('urgent', 'normal', 'bulk', 'codes'));
