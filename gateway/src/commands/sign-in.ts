/**
 * Who runs a command. Where operators exist, the key in POSTERN_OPERATOR_KEY says it, and the role must have the right that the
 * command needs; a refusal is recorded. Without operators it is the user of the system, who may do everything.
 */
import { hostname } from 'node:os'
import type { Signed } from '../acts/act-audit.ts'
import { OperationError } from '../acts/errors.ts'
import { recordRefusal, requireRight } from '../acts/rights.ts'
import type { Act } from '../audit/act.ts'
import { mayAppendAudit } from '../audit/queries.ts'
import { hasOperators } from '../operators/queries.ts'
import { signIn, SignInRefused } from '../operators/sign-in.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import { resolveReference } from '../platform/secret-reference.ts'
import { actOfShell } from './act.ts'
import { FailedError, UsageError } from './errors.ts'
import type { Invocation } from './invocation.ts'

/** What is signed: the action in the audit log, what it needs, and who says to run it. */
export type Signer = Pick<Invocation, 'command' | 'access' | 'options'>

/** An operator replaces a key that somebody else made, before anything else. */
const firstCommand = 'operator key rotate'

export async function signCommand(
  database: Database,
  invocation: Signer,
  { operatorKey }: Pick<Config, 'operatorKey'>,
): Promise<Signed> {
  const shell = actOfShell(invocation.options)
  if (await needsNoKey(database, invocation)) return { act: shell, signature: null }
  if (invocation.options.by !== undefined)
    throw new UsageError('--by is not allowed where operators exist: the key says who runs the command')
  if (operatorKey === undefined)
    throw new FailedError(
      'this installation has operators: set POSTERN_OPERATOR_KEY to your key or to file:/path; an admin makes one with `postern operator key add`',
    )
  const signed = await signIn(
    database,
    resolveReference(operatorKey, 'POSTERN_OPERATOR_KEY refers to it'),
  ).catch(async (error: unknown) => {
    if (!(error instanceof SignInRefused)) throw error
    await recordRefusal(database, invocation.command, { ...shell, by: error.claimed }, 'sign-in')
    throw new OperationError('unauthenticated', error.message)
  })
  const { name: by, role, signature, initial } = signed
  const { keyId } = signature
  const act: Act = { ...shell, by, role, keyId, source: hostname().slice(0, 200) }
  if (initial && invocation.command !== firstCommand) {
    await recordRefusal(database, invocation.command, act, 'initial key')
    throw new OperationError('first-key', `key ${keyId} was created by another operator; replace it first`, {
      facts: { keyId },
    })
  }
  // A client has no right, and no command: it uses the admin API. Its first key is replaced here, as that of every operator.
  if (role !== 'client' || invocation.command !== firstCommand)
    await requireRight(database, invocation.command, act, invocation.access.right)
  return { act, signature }
}

/** Also whoever has a database user that reads the audit log and cannot write it: a key would prove nothing more. */
async function needsNoKey(database: Database, { access }: Signer): Promise<boolean> {
  if (!access.signsIn) return true
  if (access.forAuditors && !(await mayAppendAudit(database))) return true
  return !(await hasOperators(database))
}
