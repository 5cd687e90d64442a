/**
 * Identifies who runs a command. Once operators exist, the key in POSTERN_OPERATOR_KEY identifies the
 * operator, whose role must have the right that the command needs; a refusal is recorded. Without operators
 * the system user has all rights.
 */
import { hostname } from 'node:os'
import type { SignedAudit } from '../operations/audit-recorder.ts'
import { OperationError } from '../operations/errors.ts'
import { recordRefusal, requireRight } from '../operations/rights.ts'
import type { AuditContext } from '../identity/audit/context.ts'
import { canAppendAudit } from '../identity/audit/queries.ts'
import { hasOperators } from '../identity/operators/queries.ts'
import { verifyOperatorKey, SignInRefused } from '../identity/operators/verify-key.ts'
import type { Config } from '../platform/settings/config.ts'
import type { Database } from '../platform/database/database.ts'
import { resolveReference } from '../platform/settings/secret-reference.ts'
import { createShellContext } from './shell-context.ts'
import { FailedError, UsageError } from './errors.ts'
import type { Invocation } from './invocation.ts'

/**
 * Input of a sign-in: the action for the audit log, its access requirements, and the options with the actor.
 */
export type Signer = Pick<Invocation, 'command' | 'access' | 'options'>

/** Before any other command, an operator must replace a key that another operator created. */
const firstCommand = 'operator key rotate'

export async function signCommand(
  database: Database,
  invocation: Signer,
  { operatorKey }: Pick<Config, 'operatorKey'>,
): Promise<SignedAudit> {
  const shell = createShellContext(invocation.options)
  if (await needsNoKey(database, invocation)) return { act: shell, signature: null }
  if (invocation.options.by !== undefined)
    throw new UsageError('--by is not allowed once operators exist: the key identifies the operator')
  if (operatorKey === undefined)
    throw new FailedError(
      'POSTERN_OPERATOR_KEY is required: set it to your key or to file:/path. An admin creates a key with `postern operator key add`',
    )
  const signed = await verifyOperatorKey(
    database,
    resolveReference(operatorKey, 'POSTERN_OPERATOR_KEY refers to it'),
  ).catch(async (error: unknown) => {
    if (!(error instanceof SignInRefused)) throw error
    await recordRefusal(database, invocation.command, { ...shell, by: error.claimed }, 'sign-in')
    throw new OperationError('unauthenticated', error.message)
  })
  const { name: by, role, signature, initial } = signed
  const { keyId } = signature
  const act: AuditContext = { ...shell, by, role, keyId, source: hostname().slice(0, 200) }
  if (initial && invocation.command !== firstCommand) {
    await recordRefusal(database, invocation.command, act, 'initial key')
    throw new OperationError('first-key', `key ${keyId} was created by another operator; replace it first`, {
      facts: { keyId },
    })
  }
  // Client operators have no rights and run no commands: they use the admin API. Their first key is replaced
  // here, like that of every operator.
  if (role !== 'client' || invocation.command !== firstCommand)
    await requireRight(database, invocation.command, act, invocation.access.right)
  return { act, signature }
}

/**
 * Auditors need no key: their database user can read the audit log but not write it, and a key would prove
 * nothing more.
 */
async function needsNoKey(database: Database, { access }: Signer): Promise<boolean> {
  if (!access.signsIn) return true
  if (access.forAuditors && !(await canAppendAudit(database))) return true
  return !(await hasOperators(database))
}
