/** Verifies operator keys. */
import type { Queryable } from '../../platform/database/database.ts'
import { hashOperatorKey, readOperatorKeyId } from './key.ts'
import { findKey, findOwnAccount, type OwnAccount, type Signature } from './queries.ts'
import type { OperatorRole } from './rights.ts'

export interface SignInResult {
  readonly name: string
  readonly role: OperatorRole
  /** The account of a client operator, who has access to nothing else. */
  readonly account: OwnAccount | null
  readonly signature: Signature
  /** Whether the key must be replaced before anything else is allowed. */
  readonly initial: boolean
}

/** Thrown for a refused key. `claimed` is the operator to whom the key would belong, for the audit log. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
  readonly claimed: string

  constructor(message: string, claimed = 'unknown') {
    super(message)
    this.claimed = claimed
  }
}

export async function verifyOperatorKey(database: Queryable, text: string): Promise<SignInResult> {
  const keyId = readOperatorKeyId(text)
  if (keyId === null)
    throw new SignInRefused('POSTERN_OPERATOR_KEY is not an operator key: expected postern_op_…')
  const signature = { keyId, hash: hashOperatorKey(text) }
  const key = await findKey(database, signature)
  if (key === null) throw new SignInRefused(`operator key ${keyId} is unknown, expired or revoked`)
  if (!key.matches) throw new SignInRefused(`POSTERN_OPERATOR_KEY: wrong secret for key ${keyId}`, key.name)
  if (key.disabledAt !== null)
    throw new SignInRefused(`operator '${key.name}' is disabled; ask an admin to enable it`, key.name)
  const { name, role, accountId, initial } = key
  return { name, role, account: await findOwnAccount(database, accountId), signature, initial }
}
