-- Which number, chatbot or key sent it: of each step until the message closes, then of the step that decided the outcome.
-- Written while traffic records are; null in records of an older process.
alter table in_flight add column senders json;
alter table traffic_records add column sender text;
