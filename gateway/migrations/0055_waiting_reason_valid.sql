-- Reads every row of waiting, under a lock that lets others read and write.
alter table waiting validate constraint waiting_reason_check;
