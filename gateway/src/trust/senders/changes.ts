/**
 * Changes the state of a sender, with a row of sender_changes in the same transaction. A block also adds a
 * sender that is not registered; `register.ts` adds all others.
 */
import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'
import type { AuditContext } from '../../identity/audit/context.ts'
import { plaintextCipher, type FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { incrementVersion } from '../versions.ts'
import { encryptReference, validateProof } from './proofs.ts'
import { checkBlockedValue, checkProofForApproval } from './registration.ts'
import type { SenderProof, StoredSenderState } from './sender.ts'
import type { SenderIdentity } from './queries.ts'

export interface SenderStateChange {
  readonly to: StoredSenderState
  readonly proof?: SenderProof | undefined
  /** `null` removes the end; if absent, it is unchanged. */
  readonly validUntil?: Date | null | undefined
  /** YYYY-MM-DD, to compute the age of a certificate. */
  readonly today: string
  readonly act: AuditContext
}

export interface PreviousSenderState {
  /** `null` if the sender was not registered. */
  readonly from: StoredSenderState | null
  /** The time of the previous change. */
  readonly before: Date | null
}

/**
 * Changes the state. Returns null if the sender is not registered; only a block needs no registration. Throws
 * a plain Error if the change is not allowed.
 */
export function changeSender(
  database: Transactional,
  key: SenderIdentity,
  change: SenderStateChange,
  cipher: FieldCipher = plaintextCipher,
): Promise<PreviousSenderState | null> {
  return inTransaction(database, async (transaction) => {
    const given = change.proof === undefined ? undefined : validateProof(change.proof)
    const version = await incrementVersion(transaction, 'senders')
    const before = await lockSender(transaction, key)
    if (before === null) return change.to === 'blocked' ? block(transaction, key, version, change.act) : null
    const proof = given ?? before.proof
    if (change.to === 'active') checkProofForApproval(key.kind, key.value, proof, change.today)
    const validUntil = change.validUntil === undefined ? before.validUntil : change.validUntil
    const reference =
      given === undefined
        ? before.proof?.reference
        : await encryptReference(transaction, cipher, key, given.reference)
    // The history has the proof by which a sender was approved, whether it is new or was stored before.
    const hasProof = proof !== null && (change.to === 'active' || given !== undefined)
    await transaction.query(
      `with written as (
         update senders set state = $2, valid_until = $3, proof_kind = $4, proof_reference = $5, proof_issued = $6,
                            version = $7, updated_at = now() where id = $1
       )
       insert into sender_changes (sender_id, by, from_state, to_state, valid_until, reason,
                                   proof_kind, proof_reference, proof_issued)
       values ($1, $8, $9, $2, $3, $10, case when $11 then $4 end, case when $11 then $5 end, case when $11 then $6::date end)`,
      [
        before.id,
        change.to,
        validUntil,
        proof?.kind,
        reference,
        proof?.issued,
        version,
        change.act.by,
        before.state,
        change.act.reason,
        hasProof,
      ],
    )
    return { from: before.state, before: before.updatedAt }
  })
}

async function block(
  transaction: Queryable,
  { accountId, kind, value }: SenderIdentity,
  version: string,
  { by, reason }: AuditContext,
): Promise<PreviousSenderState> {
  checkBlockedValue(kind, value)
  await transaction.query(
    `with written as (
       insert into senders (account_id, kind, value, state, version) values ($1, $2, $3, 'blocked', $4) returning id
     )
     insert into sender_changes (sender_id, by, to_state, reason) select id, $5, 'blocked', $6 from written`,
    [accountId, kind, value, version, by, reason],
  )
  return { from: null, before: null }
}

interface LockedSender {
  readonly id: string
  readonly state: StoredSenderState
  readonly validUntil: Date | null
  readonly updatedAt: Date
  /** The reference is encrypted. */
  readonly proof: SenderProof | null
}

async function lockSender(transaction: Queryable, key: SenderIdentity): Promise<LockedSender | null> {
  const result = await transaction.query<LockedSender>(
    `select id::text, state, valid_until as "validUntil", updated_at as "updatedAt",
            case when proof_kind is not null then
              json_build_object('kind', proof_kind, 'reference', proof_reference, 'issued', proof_issued::text) end as proof
       from senders where account_id = $1 and kind = $2 and value = $3 for update`,
    [key.accountId, key.kind, key.value],
  )
  return result.rows[0] ?? null
}
