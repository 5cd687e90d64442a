import type { AccountDirectory } from '../../../identity/accounts/directory.ts'
import type { Scope } from '../../../identity/accounts/credential.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { Holdings } from '../../../platform/membership/holdings.ts'
import type { Membership } from '../../../platform/membership/membership.ts'
import { every, type Periodic } from '../../../platform/time/periodic.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import { DeliveryBudget } from './delivery-budget.ts'
import { DeliveryFeed, type DeliveryResult, type Receiver } from './feed.ts'
import type { FeedSource } from './feed-source.ts'
import { receiptBody } from './receipt.ts'
import { readAddresses, receiptSource, replySource, type SourceContext } from './sources.ts'
import {
  deleteExpiredReceipts,
  deleteReceipt,
  scheduleReceiptRetry,
  returnReceipt,
  claimDueReceipts,
  type ReceiptCapacity,
  type StoredReceipt,
} from './stored-receipts.ts'
import { parseSubmitRef } from './submit-ref.ts'

type Kind = 'receipt' | 'reply'

export interface DeliveriesContext extends SourceContext {
  readonly accounts: AccountDirectory
  readonly membership: Membership
  readonly database: Database
  /** Returns the account's binds in this process that can receive with this scope. */
  readonly listReceivers: (accountId: number, scope: Scope) => readonly Receiver[]
  /** Returns the accounts with such a bind. */
  readonly receivingAccounts: () => Iterable<number>
  readonly onResult: (kind: Kind, result: DeliveryResult) => void
  readonly log: Log
}

const refreshEveryMs = 500
const deliverDueEveryMs = 2_000
/** Maximum stored receipts per account and round. */
const maxDue = 200
const cleanEveryMs = 3_600_000
/** Limit for all receipts and replies that wait for a response or for room in a window. */
const maxHeldBytes = 64 * 1024 * 1024

const scopes: Readonly<Record<Kind, Scope>> = { receipt: 'report', reply: 'replies' }
const sources: Readonly<Record<Kind, (context: SourceContext, accountId: number) => FeedSource>> = {
  receipt: receiptSource,
  reply: replySource,
}

/**
 * Delivers receipts and replies to the accounts that have a bind for them here and that no other process serves. One
 * process at a time delivers a kind to an account, so its binds share the work. A short overlap of two processes
 * does no harm, because each moves the position only past items that it has delivered itself.
 */
export class Deliveries {
  readonly #context: DeliveriesContext
  readonly #feeds: Holdings<DeliveryFeed>
  readonly #budget = new DeliveryBudget(maxHeldBytes)
  readonly #rounds: readonly Periodic[]

  constructor(context: DeliveriesContext) {
    this.#context = context
    const { log, database, membership } = context
    this.#feeds = new Holdings(membership, 'delivery', log)
    this.#rounds = [
      every(refreshEveryMs, 'choosing accounts to deliver to over SMPP', log, () => this.#refresh()),
      every(deliverDueEveryMs, 'delivering stored receipts over SMPP', log, () => this.#deliverDue()),
      every(cleanEveryMs, 'removing old receipts of SMPP', log, async () => {
        const removed = await deleteExpiredReceipts(database)
        if (removed > 0)
          log.warn(
            { removed },
            'receipts that clients did not acknowledge for three days were abandoned; inquiry still has the reports of accepted messages',
          )
      }),
    ]
  }

  /** Continues delivery when a bind of the account has room. */
  pump(accountId: number): void {
    this.#feeds.find(keyOf(accountId, 'receipt'))?.pump()
    this.#feeds.find(keyOf(accountId, 'reply'))?.pump()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#rounds.map((round) => round.stop()))
    await this.#feeds.stopAll()
  }

  async #refresh(): Promise<void> {
    // The next process begins at the position that a feed saves when it stops.
    for (const { key } of await this.#feeds.claim(this.#listWanted())) this.#start(key)
  }

  /**
   * Lists the kinds that a bind of this process can receive; the bind for the other kind may be in another
   * process.
   */
  #listWanted(): string[] {
    const { receivingAccounts, listReceivers, accounts } = this.#context
    const wanted: string[] = []
    for (const accountId of receivingAccounts()) {
      if (listReceivers(accountId, scopes.receipt).length > 0) wanted.push(keyOf(accountId, 'receipt'))
      const acceptsReplies = accounts.value.byId.get(accountId)?.smppReplies === true
      if (acceptsReplies && listReceivers(accountId, scopes.reply).length > 0)
        wanted.push(keyOf(accountId, 'reply'))
    }
    return wanted
  }

  #start(key: string): void {
    const { listReceivers, onResult, log } = this.#context
    const { accountId, kind } = parseKey(key)
    this.#feeds.start(
      key,
      () =>
        new DeliveryFeed({
          source: sources[kind](this.#context, accountId),
          receivers: () => listReceivers(accountId, scopes[kind]),
          onResult: (result) => onResult(kind, result),
          budget: this.#budget,
          log,
        }),
    )
  }

  async #deliverDue(): Promise<void> {
    const { database, listReceivers, log } = this.#context
    const rooms = [...this.#feeds.running.keys()]
      .map(parseKey)
      .flatMap(({ accountId, kind }): ReceiptCapacity[] => {
        if (kind !== 'receipt') return []
        const free = listReceivers(accountId, scopes.receipt).reduce(
          (sum, receiver) => sum + receiver.free,
          0,
        )
        return free > 0 ? [{ accountId, room: Math.min(free, maxDue) }] : []
      })
    if (rooms.length === 0) return
    for (const receipt of await claimDueReceipts(database, rooms))
      await this.#deliver(receipt).catch((error: unknown) =>
        log.warn(
          { err: error as Error },
          'a stored receipt could not be delivered; it is retried in a minute',
        ),
      )
  }

  async #deliver(receipt: StoredReceipt): Promise<void> {
    const { database, formatTime, listReceivers, onResult, log } = this.#context
    const { accountId, messageId } = receipt
    const ref = parseSubmitRef(receipt.ref)
    if (ref === null) return
    const msgKey = messageId.split('-')[0]!
    const addresses = (await readAddresses(database, accountId, [msgKey])).get(msgKey) ?? null
    const receiver = listReceivers(accountId, scopes.receipt).find(({ free }) => free > 0)
    if (receiver === undefined) return returnReceipt(database, receipt.id)
    receiver.deliver(receiptBody({ ...receipt, ref, addresses }, formatTime), (response) => {
      if (response.kind !== 'response') return
      const isAcknowledged = response.commandStatus === statuses.ESME_ROK
      onResult('receipt', isAcknowledged ? 'acknowledged' : 'refused')
      const saved = isAcknowledged
        ? deleteReceipt(database, receipt.id)
        : scheduleReceiptRetry(database, receipt)
      saved.catch((error: unknown) =>
        log.warn(
          { err: error as Error },
          'the response to a stored receipt could not be saved; it is delivered again',
        ),
      )
    })
  }
}

function keyOf(accountId: number, kind: Kind): string {
  return `${accountId}/${kind}`
}

function parseKey(key: string): { readonly accountId: number; readonly kind: Kind } {
  const [accountId, kind] = key.split('/') as [string, Kind]
  return { accountId: Number(accountId), kind }
}
