-- What an account may be given beside the defaults: its own limits, and how much its reports say.
alter table accounts
  -- Requests a second, by family of endpoints. Null is the configured default, 0 is no limit.
  add column send_limit   integer check (send_limit >= 0),
  add column report_limit integer check (report_limit >= 0),
  add column file_limit   integer check (file_limit >= 0),
  add column form_limit   integer check (form_limit >= 0),
  -- 'plain' leaves out sendTime, resCnt and userType, for clients that refuse keys they do not know.
  add column report_keys  text not null default 'full' check (report_keys in ('full', 'plain'));

-- F or N for a basic brand message, when its carrier says whether the recipient was a friend of the channel.
alter table reports add column user_type text;
