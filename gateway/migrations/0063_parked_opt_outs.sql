-- Opt-outs that could not be stored are parked as a stage of their own. Every row passes the wider check.
alter table parked drop constraint parked_stage_check;
alter table parked add constraint parked_stage_check
  check (stage in ('intake', 'dispatch', 'settle', 'opt-outs', 'unreadable')) not valid;
alter table parked validate constraint parked_stage_check;
