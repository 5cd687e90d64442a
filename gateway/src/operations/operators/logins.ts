/** Console passwords and second factors of operators. */
import { generatePassword, hashPassword } from '../../identity/accounts/password.ts'
import { resetTotp, setPassword } from '../../identity/operators/login-queries.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError } from '../errors.ts'
import { requireLocalOperator } from './operators.ts'

export const minPassword = 12
export const maxPassword = 200
/** Words and key sequences that make up the most frequent passwords in public leaks. */
const commonWords =
  /passw(or|0r)d|passwort|qwert[yz]|uiop|asdf|ghjkl|zxcv|bnm|abc(def)?|welcome|letmein|iloveyou|admin(istrator)?|login|secret|master|monkey|dragon|football|baseball|superman|sunshine|princess|postern/g

export interface PasswordRequest {
  readonly name: string
  /** Whether another operator sets it; the operator must replace it at the next sign-in. */
  readonly initial: boolean
  /** Generated if omitted. */
  readonly password?: string | undefined
}

/** Throws if the operator is not allowed to set this password. */
async function requirePasswordAllowed(
  database: Queryable,
  { act }: Pick<AuditRecorder, 'act'>,
  { name, initial }: Pick<PasswordRequest, 'name' | 'initial'>,
): Promise<void> {
  const { keys } = await requireLocalOperator(database, name, 'password')
  if (!initial && keys.some(({ keyId, endsAt }) => keyId === act.keyId && endsAt !== null))
    throw new OperationError(
      'refused',
      'a key that expires cannot set a password; ask an admin for an initial password',
    )
}

/** Returns the password. Sessions of the operator end; the second factor is kept. */
export async function setOperatorPassword(
  database: Queryable,
  audit: AuditRecorder,
  request: PasswordRequest,
): Promise<string> {
  const { name, initial } = request
  const password =
    request.password === undefined ? generatePassword() : requireStrongPassword(request.password, name)
  await requirePasswordAllowed(database, audit, request)
  const hash = await hashPassword(password)
  await audit.change(async (transaction) => {
    const { id: operatorId, account } = await requireLocalOperator(transaction, name, 'password')
    await setPassword(transaction, audit.signature, { operatorId, hash, initial })
    return [undefined, { target: name, account, details: { first: initial } }]
  })
  return password
}

function requireStrongPassword(password: string, name: string): string {
  const weakness = findWeakness(password, name)
  if (weakness !== null)
    throw new OperationError('refused', `the password ${weakness}`, { field: 'password' })
  return password
}

/** Returns what the password of an operator must have or not have, or null if it is strong enough. */
export function findWeakness(password: string, name: string): string | null {
  if (password.length < minPassword || password.length > maxPassword)
    return `must have ${minPassword} to ${maxPassword} characters`
  if (password.toLowerCase().includes(name)) return 'must not contain the name of the operator'
  const otherLetters = password.toLowerCase().replace(commonWords, '').match(/\p{L}/gu)
  return new Set(otherLetters).size < 4
    ? 'is easy to guess: it consists of common words, digits and repeated letters; for example, use four random words'
    : null
}

/** Returns false if no second factor was enrolled. Sessions of the operator end. */
export function resetSecondFactor(audit: AuditRecorder, name: string): Promise<boolean> {
  return audit.change(async (transaction) => {
    const { id, account } = await requireLocalOperator(transaction, name, 'second factor')
    const reset = await resetTotp(transaction, audit.signature, id)
    return [reset, { target: name, account, details: { reset } }] as const
  })
}
