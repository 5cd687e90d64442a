/**
 * Whether a sender may be approved by the proof that it has: one that was stored before proofs were checked may have a reference of
 * which nothing is seen. Called by `changes.ts`, and by imports before they store anything.
 */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import { DamagedCiphertext } from '../../platform/encryption/ciphertext.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { decryptProof } from './encrypted-proofs.ts'
import type { SenderKey } from './queries.ts'
import { readProof } from './read-proof.ts'
import type { Registration } from './register.ts'
import type { Proof } from './sender.ts'

/** What is wrong with it; null where it would not be refused if it was given now. `stored`: its reference is as it is stored. */
export async function findFault(
  database: Queryable,
  cipher: FieldCipher,
  key: SenderKey,
  stored: Proof,
): Promise<string | null> {
  const proof = await decryptProof(database, cipher, key, stored).catch((error: unknown) => {
    if (error instanceof DamagedCiphertext) return null
    throw error
  })
  if (proof === null) return describe('its reference cannot be decrypted')
  try {
    readProof(proof)
    return null
  } catch (error) {
    return describe((error as Error).message)
  }
}

const describe = (why: string): string =>
  `the proof that is stored does not suffice: ${why}; give a new one, with its kind and its reference`

export interface Unusable<Given> {
  readonly given: Given
  readonly error: string
}

/** Of registrations that are active without a proof of their own: those that the stored one does not suffice for. */
export async function findUnusableProofs<Given extends Registration>(
  database: Queryable,
  cipher: FieldCipher,
  registrations: readonly Given[],
): Promise<Unusable<Given>[]> {
  const approved = registrations.filter(({ state, proof }) => state === 'active' && proof === null)
  const kept = await queryBulk<{ n: number; proof: Proof }>(database, {
    text: `select g.n, json_build_object('kind', s.proof_kind, 'reference', s.proof_reference, 'issued', s.proof_issued::text) as proof
             from unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::timestamptz[]) as g (n, account_id, kind, value, valid_until)
             join senders s using (account_id, kind, value)
            where s.proof_kind is not null
              and (s.state = 'pending' or (s.state = 'active' and s.valid_until is distinct from g.valid_until))
            order by g.n`,
    columns: columns(approved, ({ accountId, kind, value, validUntil }, n) => [
      ...[n, accountId, kind, value, validUntil],
    ]),
  })
  const unusable: Unusable<Given>[] = []
  for (const { n, proof } of kept) {
    const given = approved[n]!
    const error = await findFault(database, cipher, given, proof)
    if (error !== null) unusable.push({ given, error })
  }
  return unusable
}
