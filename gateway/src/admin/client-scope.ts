/**
 * Restricts a client to its own account. Every parameter that names an account, or an object of one, is
 * compared with the account of the client before the operation runs, and list filters are set to it. Objects
 * of other accounts are reported as not found, like objects that do not exist; both are recorded as refused.
 */
import { OperationError } from '../operations/errors.ts'
import { recordRefusal } from '../operations/rights.ts'
import type { AuditContext } from '../identity/audit/context.ts'
import { isMsgKey } from '../contract/msg-key.ts'
import type { OwnAccount } from '../identity/operators/queries.ts'
import type { Database } from '../platform/database/database.ts'
import { isWebhookId } from '../edge/webhooks/webhook.ts'
import type { AdminOperation, OperationInput } from '../operations/operation.ts'
import type { RefusalThrottle } from '../operations/throttle.ts'

type Part = 'params' | 'query' | 'body'

/** Reports whether the named object belongs to the account. */
type IsOwn = (database: Database, account: OwnAccount, given: string) => Promise<boolean>

interface ScopedParameter {
  readonly part: Part
  readonly field: string
  /** Kind of the named object, for messages. */
  readonly resource: 'account' | 'message' | 'webhook'
  readonly isOwn: IsOwn
  /** Set if the account of the client is used when the parameter is omitted. */
  readonly isFilter?: boolean
}

const isOwnAccount: IsOwn = (_database, { clientId }, given) => Promise.resolve(given === clientId)

async function isOwnMessage(database: Database, { id }: OwnAccount, msgKey: string): Promise<boolean> {
  if (!isMsgKey(msgKey)) return false
  const values = [msgKey, id]
  const found = await database.query('select from messages where msg_key = $1 and account_id = $2', values)
  return found.rowCount! > 0
}

async function isOwnWebhook(database: Database, { id }: OwnAccount, webhookId: string): Promise<boolean> {
  if (!isWebhookId(webhookId)) return false
  const values = [webhookId, id]
  const found = await database.query('select from webhooks where id = $1 and account_id = $2', values)
  return found.rowCount! > 0
}

/** Every parameter by which operations name an account, or an object of one. */
const scopedParameters: readonly ScopedParameter[] = [
  { part: 'params', field: 'clientId', resource: 'account', isOwn: isOwnAccount },
  { part: 'query', field: 'account', resource: 'account', isOwn: isOwnAccount, isFilter: true },
  { part: 'body', field: 'account', resource: 'account', isOwn: isOwnAccount, isFilter: true },
  { part: 'params', field: 'msgKey', resource: 'message', isOwn: isOwnMessage },
  { part: 'params', field: 'webhookId', resource: 'webhook', isOwn: isOwnWebhook },
]

const advice: Readonly<Record<'message' | 'webhook', string>> = {
  message:
    'check the msgKey; a message sent within the last second might not be recorded yet, and messages are deleted after the retention period',
  webhook: 'GET /admin/v1/webhooks lists your webhooks',
}

/**
 * Returns the parameters that bind the operation to an account. Throws for a definition that would let a
 * client reach other accounts.
 */
export function resolveScope({ id, client, ...operation }: AdminOperation): readonly ScopedParameter[] {
  if (client === undefined) return []
  const scope = scopedParameters.filter(({ part, field }) => Object.hasOwn(operation[part] ?? {}, field))
  // Objects of one account are addressed below the path of the account, or by an ID that is checked here.
  const bindsAccount = scope.some(({ part, isFilter }) => part === 'params' || isFilter === true)
  if (bindsAccount !== (client === 'own'))
    throw new Error(
      `${id}: the scope '${client}' does not fit: its parameters name ${bindsAccount ? 'an' : 'no'} account`,
    )
  return scope
}

/** Matches a phone number as people write it: digits with at most three non-letters between them. */
const phoneNumber = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){6,}/gu
/** Matches characters that are invisible or change how an audit row is displayed. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * Returns the given value for the audit log. A caller that mistakes a field can send anything, so phone
 * numbers are masked; IDs are unchanged.
 */
function toLoggable(given: string): string {
  if (isMsgKey(given) || isWebhookId(given)) return given
  const maskDigits = (number: string): string => number.replaceAll(/\p{Nd}(?=(?:\P{Nd}*\p{Nd}){4})/gu, '*')
  return given.slice(0, 100).replaceAll(unprintable, '?').replaceAll(phoneNumber, maskDigits)
}

export interface ClientCaller {
  readonly account: OwnAccount
  readonly act: AuditContext
}

export class ClientScopes {
  readonly #log: Database
  readonly #throttle: RefusalThrottle

  /** `log` is the database that records refusals. */
  constructor(log: Database, throttle: RefusalThrottle) {
    this.#log = log
    this.#throttle = throttle
  }

  /** Returns the input restricted to the account. Throws if it names an object of another account. */
  async narrow(
    operation: AdminOperation,
    scope: readonly ScopedParameter[],
    input: OperationInput,
    { account, act }: ClientCaller,
    database: Database,
  ): Promise<OperationInput> {
    let narrowed = input
    for (const { part, field, resource, isOwn, isFilter } of scope) {
      const given = (narrowed[part] as Record<string, unknown>)[field]
      if (given === undefined) {
        if (isFilter === true)
          narrowed = { ...narrowed, [part]: { ...narrowed[part], [field]: account.clientId } }
      } else if (!(await isOwn(database, account, given as string)))
        await this.#refuse(operation, act, resource, given as string, account)
    }
    return narrowed
  }

  async #refuse(
    { action }: AdminOperation,
    act: AuditContext,
    resource: ScopedParameter['resource'],
    given: string,
    { clientId }: OwnAccount,
  ): Promise<never> {
    this.#throttle.reserve(`operator ${act.by}`)
    const shown = toLoggable(given)
    const target = `${resource} ${shown}`
    await recordRefusal(this.#log, action, { ...act, reason: action }, target, { account: clientId })
    throw new OperationError(
      'not-found',
      resource === 'account'
        ? `account '${shown}' not found; yours is '${clientId}'`
        : `your account has no ${target}; ${advice[resource]}`,
      { facts: { resource, id: shown } },
    )
  }
}
