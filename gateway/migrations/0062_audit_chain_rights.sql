-- Whoever may put this trigger on a table of theirs, with a column of a type of theirs, runs code with the rights of the owner: nobody
-- may, and it refuses other tables before it assigns anything. The trigger of the audit log needs no right of its users.
do $migration$
begin
  execute replace($f$
    create or replace function HOME.audit_chain() returns trigger language plpgsql security definer
      set search_path = pg_catalog, pg_temp as $$
    declare
      tail HOME.audit_tail;
    begin
      if tg_relid <> 'HOME.audit_log'::regclass then
        raise exception 'audit_chain is for audit_log' using errcode = 'insufficient_privilege';
      end if;
      select * into strict tail from HOME.audit_tail for update;
      new.seq := tail.seq + 1;
      new.at := date_trunc('milliseconds', clock_timestamp());
      new.database_user := session_user;
      new.previous_hash := tail.hash;
      new.hash := sha256(convert_to(HOME.audit_text(new), 'UTF8'));
      update HOME.audit_tail set seq = new.seq, hash = new.hash;
      return new;
    end
    $$ $f$, 'HOME.', quote_ident(current_schema()) || '.');
end $migration$;

revoke all on function audit_chain from public;
