/** Who a key belongs to. Called for every command, and by whatever else operators use later. */
import type { Queryable } from '../platform/database.ts'
import { hashOperatorKey, readOperatorKeyId } from './key.ts'
import { findKey, findOwnAccount, type OwnAccount, type Signature } from './queries.ts'
import type { OperatorRole } from './rights.ts'

export interface SignedIn {
  readonly name: string
  readonly role: OperatorRole
  /** Of an operator of a client, who reaches nothing else. */
  readonly account: OwnAccount | null
  readonly signature: Signature
  /** Its operator replaces it before anything else. */
  readonly initial: boolean
}

/** The text says what to do next. `claimed`: the operator whose key it would be, for the audit log. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
  readonly claimed: string

  constructor(message: string, claimed = 'unknown') {
    super(message)
    this.claimed = claimed
  }
}

export async function signIn(database: Queryable, text: string): Promise<SignedIn> {
  const keyId = readOperatorKeyId(text)
  if (keyId === null)
    throw new SignInRefused('POSTERN_OPERATOR_KEY is not the key of an operator: it begins with postern_op_')
  const signature = { keyId, hash: hashOperatorKey(text) }
  const found = await findKey(database, signature)
  if (found === null)
    throw new SignInRefused(`the operator key ${keyId} does not exist, has ended or was revoked`)
  if (!found.matches)
    throw new SignInRefused(`POSTERN_OPERATOR_KEY has the id ${keyId} and another secret`, found.name)
  if (found.disabledAt !== null)
    throw new SignInRefused(`the operator '${found.name}' is disabled; an admin may enable it`, found.name)
  const { name, role, accountId, initial } = found
  return { name, role, account: await findOwnAccount(database, accountId), signature, initial }
}
