/**
 * The references of proofs in the database: they may name a person or a document of one. Encrypted by the cipher of the
 * installation, bound to the sender and its account; in the history of a sender as in its own row, so that one text is stored in
 * both. Commands alone write them.
 */
import type { Queryable } from '../../platform/database.ts'
import type { AssociatedData } from '../../platform/encryption/ciphertext.ts'
import type { EncryptedColumn } from '../../platform/encryption/field-cipher.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import type { SenderChange, SenderKey } from './queries.ts'
import type { Proof } from './sender.ts'

const toAssociatedData = ({ accountId, kind, value }: SenderKey): AssociatedData => [
  ...(['senders', 'proof_reference'] as const),
  ...([accountId, kind, value] as const),
]

/** `stored`: the reference that the row has, which is kept when it means the same. Returns the text to store. */
export async function encryptReference(
  transaction: Queryable,
  cipher: FieldCipher,
  key: SenderKey,
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
  key: SenderKey,
  stored: string,
): Promise<string> {
  return cipher.decrypt(database, stored, toAssociatedData(key))
}

export async function decryptProof(
  database: Queryable,
  cipher: FieldCipher,
  key: SenderKey,
  proof: Proof | null,
): Promise<Proof | null> {
  return proof && { ...proof, reference: await decryptReference(database, cipher, key, proof.reference) }
}

/** The history of a sender. */
export async function decryptChanges(
  database: Queryable,
  cipher: FieldCipher,
  key: SenderKey,
  changes: readonly SenderChange[],
): Promise<SenderChange[]> {
  const shown: SenderChange[] = []
  for (const change of changes)
    shown.push({ ...change, proof: await decryptProof(database, cipher, key, change.proof) })
  return shown
}

export const senderProofs: EncryptedColumn = {
  name: 'senders.proof_reference',
  // Workers may not write the table.
  isOfCommands: true,
  async page(database, after, limit) {
    const result = await database.query<SenderKey & { id: string; stored: string }>(
      `select id::text, account_id as "accountId", kind, value, proof_reference as stored from senders
        where id > coalesce(nullif($1, '')::bigint, 0) and proof_reference is not null order by senders.id limit $2`,
      [after, limit],
    )
    return result.rows.map((row) => ({
      key: row.id,
      stored: row.stored,
      associatedData: toAssociatedData(row),
    }))
  },
  async replace(transaction, changes) {
    const result = await transaction.query(
      `update senders set proof_reference = c.to from unnest($1::bigint[], $2::text[], $3::text[]) as c (id, "from", "to")
        where senders.id = c.id and proof_reference = c."from"`,
      [changes.map(({ key }) => key), changes.map(({ from }) => from), changes.map(({ to }) => to)],
    )
    return result.rowCount ?? 0
  },
}

/** Of the history of senders. */
export const formerProofs: EncryptedColumn = {
  name: 'sender_changes.proof_reference',
  isOfCommands: true,
  async page(database, after, limit) {
    const result = await database.query<SenderKey & { id: string; stored: string }>(
      `select c.id::text, s.account_id as "accountId", s.kind, s.value, c.proof_reference as stored
         from sender_changes c join senders s on s.id = c.sender_id
        where c.id > coalesce(nullif($1, '')::bigint, 0) and c.proof_reference is not null order by c.id limit $2`,
      [after, limit],
    )
    return result.rows.map((row) => ({
      key: row.id,
      stored: row.stored,
      associatedData: toAssociatedData(row),
    }))
  },
  async replace(transaction, changes) {
    const result = await transaction.query(
      `update sender_changes set proof_reference = c.to from unnest($1::bigint[], $2::text[], $3::text[]) as c (id, "from", "to")
        where sender_changes.id = c.id and proof_reference = c."from"`,
      [changes.map(({ key }) => key), changes.map(({ from }) => from), changes.map(({ to }) => to)],
    )
    return result.rowCount ?? 0
  },
}
