insert into message (id, sent_on, msg_key)
select id, cast(sent_on as date), nullif(msg_key, '') from csvread('sent.csv') sent
where not exists (select 1 from message where message.id = sent.id);
