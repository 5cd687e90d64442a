/**
 * Guarantees that a client reaches its own account alone, whatever it asks for. The one place that decides it: every parameter that names an
 * account, or something of one, is compared with the account of the client before the operation runs, and the filters of lists are set to
 * it. What belongs to somebody else is answered as what does not exist, and both are recorded as refused. Called by the server.
 */
import { OperationError } from '../acts/errors.ts'
import { recordRefusal } from '../acts/rights.ts'
import type { Act } from '../audit/act.ts'
import { isMsgKey } from '../contract/msg-key.ts'
import type { OwnAccount } from '../operators/queries.ts'
import type { Database } from '../platform/database.ts'
import { isWebhookId } from '../webhooks/webhook.ts'
import type { AdminOperation, Input } from './operation.ts'
import type { RefusalThrottle } from './throttle.ts'

type Part = 'params' | 'query' | 'body'

/** Whether what is named belongs to the account. */
type IsOwn = (database: Database, account: OwnAccount, given: string) => Promise<boolean>

interface Named {
  readonly part: Part
  readonly field: string
  /** What it is, for people. */
  readonly what: 'account' | 'message' | 'webhook'
  readonly isOwn: IsOwn
  /** Left out, the account of the client is given. */
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

/** Every parameter by which operations name an account, or something that belongs to one. */
const named: readonly Named[] = [
  { part: 'params', field: 'clientId', what: 'account', isOwn: isOwnAccount },
  { part: 'query', field: 'account', what: 'account', isOwn: isOwnAccount, isFilter: true },
  { part: 'body', field: 'account', what: 'account', isOwn: isOwnAccount, isFilter: true },
  { part: 'params', field: 'msgKey', what: 'message', isOwn: isOwnMessage },
  { part: 'params', field: 'webhookId', what: 'webhook', isOwn: isOwnWebhook },
]

const advice: Readonly<Record<'message' | 'webhook', string>> = {
  message:
    'check the msgKey: a message sent within the last second may not be recorded yet, and messages are deleted when their time of storage has passed',
  webhook: 'GET /admin/v1/webhooks lists those that it has',
}

/** What binds the operation to an account. Throws for a definition that a client could use beyond its own. */
export function scopeOf({ id, client, ...operation }: AdminOperation): readonly Named[] {
  if (client === undefined) return []
  const scope = named.filter(({ part, field }) => Object.hasOwn(operation[part] ?? {}, field))
  // What belongs to one account is named under the path of the account, or by an id that is looked up here.
  const binds = scope.some(({ part, isFilter }) => part === 'params' || isFilter === true)
  if (binds !== (client === 'own'))
    throw new Error(
      `${id}: the scope '${client}' does not fit: its parameters name ${binds ? 'an' : 'no'} account`,
    )
  return scope
}

/** Digits with at most three other characters between them, which are no letters: a phone number, as people write it. */
const phoneNumber = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){6,}/gu
/** Characters that are not seen, or change how a row of the audit log is shown. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu

/** What was named, for the audit log: whoever mistakes a field may have typed anything into it. An id is shown as it is. */
function toShown(given: string): string {
  if (isMsgKey(given) || isWebhookId(given)) return given
  const maskDigits = (number: string): string => number.replaceAll(/\p{Nd}(?=(?:\P{Nd}*\p{Nd}){4})/gu, '*')
  return given.slice(0, 100).replaceAll(unprintable, '?').replaceAll(phoneNumber, maskDigits)
}

export interface ClientCaller {
  readonly account: OwnAccount
  readonly act: Act
}

export class ClientScopes {
  readonly #log: Database
  readonly #throttle: RefusalThrottle

  /** `log`: records what is refused. */
  constructor(log: Database, throttle: RefusalThrottle) {
    this.#log = log
    this.#throttle = throttle
  }

  /** The input of an operation, bounded to the account. Throws when it names something else. */
  async narrow(
    operation: AdminOperation,
    scope: readonly Named[],
    input: Input,
    { account, act }: ClientCaller,
    database: Database,
  ): Promise<Input> {
    let own = input
    for (const { part, field, what, isOwn, isFilter } of scope) {
      const given = (own[part] as Record<string, unknown>)[field]
      if (given === undefined) {
        if (isFilter === true) own = { ...own, [part]: { ...own[part], [field]: account.clientId } }
      } else if (!(await isOwn(database, account, given as string)))
        await this.#refuse(operation, act, what, given as string, account)
    }
    return own
  }

  async #refuse(
    { action }: AdminOperation,
    act: Act,
    what: Named['what'],
    given: string,
    { clientId }: OwnAccount,
  ): Promise<never> {
    this.#throttle.reserve(`operator ${act.by}`)
    const shown = toShown(given)
    const target = `${what} ${shown}`
    await recordRefusal(this.#log, action, { ...act, reason: action }, target, { account: clientId })
    throw new OperationError(
      'not-found',
      what === 'account'
        ? `account '${shown}' not found; yours is '${clientId}'`
        : `your account has no ${target}; ${advice[what]}`,
      { facts: { resource: what, id: shown } },
    )
  }
}
