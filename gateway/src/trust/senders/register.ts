/**
 * Registers senders, with a row of sender_changes for each that is new or changed in the same transaction.
 */
import type { AuditContext } from '../../identity/audit/context.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'
import { plaintextCipher, type FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { incrementVersion } from '../versions.ts'
import { encryptReference, validateProof } from './proofs.ts'
import type { SenderIdentity } from './queries.ts'
import { checkProofForApproval, checkSenderValue } from './registration.ts'
import type { SenderProof, StoredSenderState } from './sender.ts'

export interface SenderRegistration extends SenderIdentity {
  readonly state: Extract<StoredSenderState, 'pending' | 'active'>
  readonly proof: SenderProof | null
  readonly validUntil: Date | null
}

/**
 * Returns the registration in its stored form. Throws a plain Error that names the problem. `today` is
 * YYYY-MM-DD, `allowed` the kinds of numbers in POSTERN_SENDER_KINDS.
 */
export function validateRegistration<Given extends Omit<SenderRegistration, 'accountId'>>(
  given: Given,
  today: string,
  allowed: readonly string[] = [],
): Given {
  const { kind, value, state } = given
  checkSenderValue(kind, value, allowed)
  // Check the proof of a pending sender as well: the sender may be approved by it later.
  const proof = given.proof === null ? null : validateProof(given.proof)
  if (state === 'active') checkProofForApproval(kind, value, proof, today)
  return { ...given, proof }
}

export interface ChangedSender extends SenderIdentity {
  /** `null` if the sender was not registered. */
  readonly from: StoredSenderState | null
  readonly to: StoredSenderState
}

/**
 * Registers any number of senders. A pending sender gets a new proof, and the new end with it. A pending or active one
 * gets the new state, end and proof if the new state is active. A blocked or rejected one is not changed. A repeated
 * import changes nothing. Returns the senders that were new or changed, in the given order.
 */
export function registerSenders(
  database: Transactional,
  registrations: readonly SenderRegistration[],
  { by, reason }: AuditContext,
  cipher: FieldCipher = plaintextCipher,
): Promise<ChangedSender[]> {
  return inTransaction(database, async (transaction) => {
    // Concurrent writers wait here.
    const version = await incrementVersion(transaction, 'senders')
    const references = await encryptReferences(transaction, cipher, registrations)
    return queryBulk<ChangedSender>(transaction, {
      text: `
        with given as (
          select * from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::date[])
            with ordinality as g (account_id, kind, value, state, valid_until, proof_kind, proof_reference, proof_issued, nth)
        ), before as (
          select s.account_id, s.kind, s.value, s.state from senders s join given g using (account_id, kind, value)
        ), written as (
          insert into senders as s (account_id, kind, value, state, valid_until, proof_kind, proof_reference, proof_issued, version)
          select g.account_id, g.kind, g.value, g.state, g.valid_until, g.proof_kind, g.proof_reference, g.proof_issued, $9::bigint
            from given g
          on conflict (account_id, kind, value) do update
             set state = excluded.state, valid_until = excluded.valid_until, version = excluded.version, updated_at = now(),
                 proof_kind = case when excluded.proof_kind is null then s.proof_kind else excluded.proof_kind end,
                 proof_reference = case when excluded.proof_kind is null then s.proof_reference else excluded.proof_reference end,
                 proof_issued = case when excluded.proof_kind is null then s.proof_issued else excluded.proof_issued end
           where s.state in ('pending', 'active') and (excluded.state = 'active' or s.state = 'pending')
             and ((excluded.state = 'active' and (s.state, s.valid_until) is distinct from (excluded.state, excluded.valid_until))
                  or (excluded.proof_kind is not null and (s.proof_kind, s.proof_reference, s.proof_issued)
                        is distinct from (excluded.proof_kind, excluded.proof_reference, excluded.proof_issued)))
          returning *
        ), recorded as (
          insert into sender_changes (sender_id, by, from_state, to_state, valid_until, reason, proof_kind, proof_reference, proof_issued)
          select w.id, $10, b.state, w.state, w.valid_until, $11, w.proof_kind, w.proof_reference, w.proof_issued
            from written w left join before b using (account_id, kind, value)
        )
        select account_id as "accountId", kind, value, b.state as "from", w.state as "to"
          from written w join given g using (account_id, kind, value) left join before b using (account_id, kind, value)
         order by g.nth`,
      columns: columns(registrations, ({ accountId, kind, value, state, validUntil, proof }, n) => [
        accountId,
        kind,
        value,
        state,
        validUntil,
        proof?.kind ?? null,
        references[n],
        proof?.issued ?? null,
      ]),
      values: [version, by, reason],
    })
  })
}

/** Keeps the stored ciphertext of an unchanged reference, so that a repeated import changes nothing. */
async function encryptReferences(
  transaction: Queryable,
  cipher: FieldCipher,
  registrations: readonly SenderRegistration[],
): Promise<(string | null)[]> {
  const kept = await queryBulk<{ n: number; stored: string }>(transaction, {
    text: `select g.n, s.proof_reference as stored
             from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as g (n, account_id, kind, value)
             join senders s using (account_id, kind, value) where s.proof_reference is not null`,
    columns: columns(registrations, ({ accountId, kind, value }, n) => [n, accountId, kind, value]),
  })
  const stored = new Map(kept.map((row) => [row.n, row.stored]))
  const references: (string | null)[] = []
  for (const [n, registration] of registrations.entries()) {
    const { proof } = registration
    references.push(
      proof && (await encryptReference(transaction, cipher, registration, proof.reference, stored.get(n))),
    )
  }
  return references
}

/** Counts the blocked and rejected senders, which a registration does not change. */
export async function countUnchangeable(
  database: Queryable,
  registrations: readonly SenderRegistration[],
): Promise<{ readonly blocked: number; readonly rejected: number }> {
  const found = await queryBulk<{ state: StoredSenderState }>(database, {
    text: `
      select s.state from unnest($1::int[], $2::text[], $3::text[]) as g (account_id, kind, value)
        join senders s using (account_id, kind, value) where s.state in ('blocked', 'rejected')`,
    columns: columns(registrations, ({ accountId, kind, value }) => [accountId, kind, value]),
  })
  const count = (state: StoredSenderState): number => found.filter((sender) => sender.state === state).length
  return { blocked: count('blocked'), rejected: count('rejected') }
}
