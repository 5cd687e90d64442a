/**
 * Adds and changes operators. A change that leaves no admin with a valid key is refused. Operators of a client belong to one
 * account permanently, and never become operators of the installation.
 */
import type { CreatedKey } from '../../identity/accounts/key.ts'
import { createOperatorKey } from '../../identity/operators/key.ts'
import { isOperatorName } from '../../identity/operators/name.ts'
import {
  hasOperators,
  insertOperator,
  listOperators,
  updateOperator,
  type OperatorSummary,
  type NewOperatorKey,
  type OperatorKey,
} from '../../identity/operators/queries.ts'
import type { OperatorRole, StaffRole } from '../../identity/operators/rights.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { requireAccountId } from '../find-account.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { notFound, OperationError, wrongField } from '../errors.ts'

const dayMs = 86_400_000

export interface KeyOptions {
  readonly days?: number | undefined
}

/** A key with its text, which is shown once. */
export type CreatedOperatorKey = NewOperatorKey & CreatedKey

/** `latest` limits the expiry, whatever the options are. */
export function generateOperatorKey(
  createdBy: string,
  { days }: KeyOptions,
  latest: Date | null = null,
): CreatedOperatorKey {
  const endsAt = earlier(days === undefined ? null : new Date(clock.now() + days * dayMs), latest)
  return { ...createOperatorKey(), createdBy, endsAt }
}

function earlier(left: Date | null, right: Date | null): Date | null {
  if (left === null || right === null) return left ?? right
  return left < right ? left : right
}

export async function requireOperator(transaction: Queryable, name: string): Promise<OperatorSummary> {
  const [found] = await listOperators(transaction, { name })
  if (found !== undefined) return found
  throw notFound('operator', name)
}

/** Refuses operators of an OpenID provider, who have no `credential` here, such as a password. */
export async function requireLocalOperator(
  transaction: Queryable,
  name: string,
  credential: string,
): Promise<OperatorSummary> {
  const operator = await requireOperator(transaction, name)
  if (operator.issuer === null) return operator
  throw new OperationError(
    'refused',
    `operator '${name}' signs in with ${operator.issuer} and has no ${credential} here; add a local operator for the command line`,
    { facts: { issuer: operator.issuer } },
  )
}

/** Call after a change, in its transaction. */
export async function requireAdminLeft(transaction: Queryable): Promise<void> {
  const admins = (await listOperators(transaction, { role: 'admin' })).filter(
    ({ disabledAt, keys }) => disabledAt === null && keys.some(isUsable),
  )
  if (admins.length === 0)
    throw new OperationError(
      'refused',
      'no admin could sign in after this change; make another operator an admin first',
    )
}

export function isUsable({ revokedAt, endsAt }: OperatorKey): boolean {
  const now = clock.date()
  return revokedAt === null && (endsAt === null || endsAt > now)
}

export interface NewOperator extends KeyOptions {
  readonly role: OperatorRole
  /** Client ID; only with the role `client`. */
  readonly account?: string | undefined
}

/** Returns the initial key, which its operator must replace. */
export function addOperator(
  audit: AuditRecorder,
  name: string,
  { role, account, ...options }: NewOperator,
): Promise<CreatedOperatorKey> {
  if (!isOperatorName(name))
    throw new OperationError(
      'refused',
      `invalid operator name '${name}': use 1 to 64 of a-z 0-9 . _ @ -; 'unknown' is reserved`,
      { field: 'name' },
    )
  if (role === 'client' && account === undefined)
    throw wrongField('account', 'is required with the role client')
  if (role !== 'client' && account !== undefined)
    throw wrongField('account', `is only allowed with the role client, not ${role}`)
  return audit.change(async (transaction) => {
    if (role !== 'admin' && !(await hasOperators(transaction)))
      throw new OperationError(
        'refused',
        'the first operator must be an admin: only admins manage operators',
        { field: 'role' },
      )
    const accountId = account === undefined ? null : await requireAccountId(transaction, account)
    const key = generateOperatorKey(audit.act.by, options)
    if (!(await insertOperator(transaction, audit.signature, { name, role, key, accountId })))
      throw new OperationError('already-exists', `operator '${name}' already exists`, {
        field: 'name',
        facts: { resource: 'operator', id: name },
      })
    const subject = { target: name, account: account ?? null, details: { role, keyId: key.keyId } }
    return [key, subject] as const
  })
}

export async function changeOperator(
  audit: AuditRecorder,
  name: string,
  change: { readonly role?: StaffRole; readonly disabled?: boolean },
): Promise<void> {
  await audit.change(async (transaction) => {
    const { id, role, disabledAt, issuer } = await requireOperator(transaction, name)
    if (change.role !== undefined && issuer !== null)
      throw new OperationError(
        'refused',
        `the role of operator '${name}' is managed by ${issuer}; change the groups of the person there, or POSTERN_ADMIN_OIDC_ROLES`,
        { field: 'role' },
      )
    if (change.role !== undefined && role === 'client')
      throw new OperationError(
        'refused',
        `operator '${name}' belongs to a client and cannot change to another role; disable it, and add another operator with the role ${change.role}`,
        { field: 'role' },
      )
    const before = { role, disabled: disabledAt !== null }
    const after = { ...before, ...change }
    await updateOperator(transaction, audit.signature, id, change)
    await requireAdminLeft(transaction)
    return [undefined, { target: name, details: { before, after } }]
  })
}
