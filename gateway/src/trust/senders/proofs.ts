/**
 * Proofs of senders: how they are checked, and how their references are encrypted. A reference can name a
 * person or their document. Its ciphertext is bound to the sender and its account, so a sender and its
 * history share one value. Only commands write it.
 */
import { isDay } from '../../contract/day.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { AssociatedData } from '../../platform/encryption/ciphertext.ts'
import type { EncryptedColumn, FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { isPrintable } from '../../platform/logging/printable-text.ts'
import type { SenderChange, SenderIdentity } from './queries.ts'
import type { SenderProof } from './sender.ts'

const maxReference = 200

/** Matches any visible character. */
const visible = /[^\s\u2800\p{Default_Ignorable_Code_Point}]/u

/**
 * Returns the proof in its stored form. Throws a plain Error if its reference is blank, too long or not printable, or if
 * its day does not exist.
 */
export function validateProof(proof: SenderProof): SenderProof {
  const { issued } = proof
  if (issued !== null && !isDay(issued))
    throw new Error(`issued must be a date such as 2026-11-02, not '${issued}'`)
  const reference = proof.reference.trim()
  if (!visible.test(reference))
    throw new Error(
      'the proof reference must not be blank; name where the proof is filed, such as a document number',
    )
  if (proof.reference.length > maxReference)
    throw new Error(`the proof reference must be at most ${maxReference} characters`)
  // PostgreSQL stores no NUL, and other control characters hide the text after them on a terminal.
  if (!isPrintable(reference)) throw new Error('the proof reference must not contain control characters')
  return { ...proof, reference }
}

function toAssociatedData({ accountId, kind, value }: SenderIdentity): AssociatedData {
  return ['senders', 'proof_reference', accountId, kind, value]
}

/** Returns the ciphertext to store: `stored` itself if it has the same plaintext. */
export async function encryptReference(
  transaction: Queryable,
  cipher: FieldCipher,
  key: SenderIdentity,
  reference: string,
  stored?: string | null,
): Promise<string> {
  if (typeof stored === 'string' && (await decryptReference(transaction, cipher, key, stored)) === reference)
    return stored
  return cipher.encrypt(transaction, reference, toAssociatedData(key))
}

export function decryptReference(
  database: Queryable,
  cipher: FieldCipher,
  key: SenderIdentity,
  stored: string,
): Promise<string> {
  return cipher.decrypt(database, stored, toAssociatedData(key))
}

export async function decryptProof(
  database: Queryable,
  cipher: FieldCipher,
  key: SenderIdentity,
  proof: SenderProof | null,
): Promise<SenderProof | null> {
  return proof && { ...proof, reference: await decryptReference(database, cipher, key, proof.reference) }
}

export async function decryptChanges(
  database: Queryable,
  cipher: FieldCipher,
  key: SenderIdentity,
  changes: readonly SenderChange[],
): Promise<SenderChange[]> {
  const decrypted: SenderChange[] = []
  for (const change of changes)
    decrypted.push({ ...change, proof: await decryptProof(database, cipher, key, change.proof) })
  return decrypted
}

export const senderProofs = createProofColumn('senders', 'senders s join senders r on r.id = s.id')
export const proofHistory = createProofColumn(
  'sender_changes',
  'sender_changes r join senders s on s.id = r.sender_id',
)

/**
 * Creates a column for re-encryption. In `rows`, `r` is the row that has the reference and `s` its sender.
 */
function createProofColumn(table: 'senders' | 'sender_changes', rows: string): EncryptedColumn {
  return {
    name: `${table}.proof_reference`,
    isCommandOnly: true,
    async page(database, after, limit) {
      const result = await database.query<SenderIdentity & { id: string; stored: string }>(
        `select r.id::text, s.account_id as "accountId", s.kind, s.value, r.proof_reference as stored from ${rows}
          where r.id > coalesce(nullif($1, '')::bigint, 0) and r.proof_reference is not null order by r.id limit $2`,
        [after, limit],
      )
      return result.rows.map(({ id, stored, ...key }) => ({
        key: id,
        stored,
        associatedData: toAssociatedData(key),
      }))
    },
    async replace(transaction, changes) {
      const result = await transaction.query(
        `update ${table} r set proof_reference = c.to
           from unnest($1::bigint[], $2::text[], $3::text[]) as c (id, "from", "to")
          where r.id = c.id and r.proof_reference = c."from"`,
        [changes.map(({ key }) => key), changes.map(({ from }) => from), changes.map(({ to }) => to)],
      )
      return result.rowCount ?? 0
    },
  }
}
