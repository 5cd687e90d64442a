-- The proof by which a sender was registered or approved, with each change: that in `senders` is replaced by the next one. The reference
-- is encrypted as in `senders`, bound to the same sender. Null: the change had none, or a process of an earlier version made it.
alter table sender_changes add column proof_kind text;
alter table sender_changes add column proof_reference text;
alter table sender_changes add column proof_issued date;

-- The present proof belongs to the only change that can have given it, or to the last of them where that was a new proof of a pending
-- sender; a rejection or a block gives none. Where that is not certain, a row of its own keeps it, so that the next proof does not erase it.
with giving as (
  select id, sender_id, from_state, to_state, count(*) over (partition by sender_id) as changes,
         row_number() over (partition by sender_id order by id desc) as nth
    from sender_changes where to_state in ('pending', 'active')
), copied as (
  update sender_changes c
     set proof_kind = s.proof_kind, proof_reference = s.proof_reference, proof_issued = s.proof_issued
    from giving g join senders s on s.id = g.sender_id
   where c.id = g.id and s.proof_kind is not null and g.nth = 1
     and (g.changes = 1 or (g.from_state = 'pending' and g.to_state = 'pending'))
  returning c.sender_id
)
insert into sender_changes (sender_id, by, from_state, to_state, valid_until, reason, proof_kind, proof_reference, proof_issued)
select s.id, 'migration', s.state, s.state, s.valid_until, 'the proof that it had at the upgrade, given with an earlier change',
       s.proof_kind, s.proof_reference, s.proof_issued
  from senders s where s.proof_kind is not null and not exists (select from copied where copied.sender_id = s.id);
