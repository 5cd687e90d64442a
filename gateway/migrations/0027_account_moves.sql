-- The run of `postern account move` that holds the pause: a run that was stopped for longer than its pause must not hand the
-- account over on the pause of another run, with copies that are out of date.
alter table accounts add column moving_by text;

-- The usage of the old cell that was added when the move ended. The command can be repeated after the end, for messages that
-- the old cell recorded late; it then adds what is above.
alter table account_moves add column usage json;
