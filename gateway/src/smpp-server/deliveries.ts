/**
 * Delivers receipts and replies to the accounts that have a bind for them here and that no other process delivers to. One
 * process at a time delivers a kind to an account, so that its binds share the work; two for a moment do no harm, because
 * each moves the position only past what it has delivered itself.
 */
import type { AccountDirectory } from '../accounts/directory.ts'
import type { Scope } from '../accounts/credential.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { Holdings } from '../platform/membership/holdings.ts'
import type { Membership } from '../platform/membership/membership.ts'
import { every, type Periodic } from '../platform/periodic.ts'
import { statuses } from '../smpp/status.ts'
import { DeliveryBudget } from './delivery-budget.ts'
import { Feed, type DeliveryResult, type Receiver } from './feed.ts'
import type { FeedSource } from './feed-source.ts'
import { receiptBody } from './receipt.ts'
import { readAddresses, receiptSource, replySource, type SourceContext } from './sources.ts'
import {
  removeOld,
  removeReceipt,
  repeatReceipt,
  returnReceipt,
  takeDue,
  type Room,
  type StoredReceipt,
} from './stored-receipts.ts'
import { readRef } from './submit-ref.ts'

/** What is delivered to an account. */
type Kind = 'receipt' | 'reply'

export interface DeliveriesContext extends SourceContext {
  readonly accounts: AccountDirectory
  readonly membership: Membership
  readonly database: Database
  /** Binds of an account in this process that can receive with this scope. */
  readonly receiversOf: (accountId: number, scope: Scope) => readonly Receiver[]
  /** Accounts with such a bind. */
  readonly receivingAccounts: () => Iterable<number>
  readonly onResult: (kind: Kind, result: DeliveryResult) => void
  readonly log: Log
}

const roundMs = 500
const dueMs = 2_000
/** Of one account in one round. */
const maxDue = 200
const cleaningMs = 3_600_000
/** Of all receipts and replies that wait for an answer or for room in a window. */
const maxHeldBytes = 64 * 1024 * 1024

const scopes: Readonly<Record<Kind, Scope>> = { receipt: 'report', reply: 'replies' }
const sources: Readonly<Record<Kind, (context: SourceContext, accountId: number) => FeedSource>> = {
  receipt: receiptSource,
  reply: replySource,
}

export class Deliveries {
  readonly #context: DeliveriesContext
  readonly #feeds: Holdings<Feed>
  readonly #budget = new DeliveryBudget(maxHeldBytes)
  readonly #rounds: readonly Periodic[]

  constructor(context: DeliveriesContext) {
    this.#context = context
    const { log, database, membership } = context
    this.#feeds = new Holdings(membership, 'delivery', log)
    this.#rounds = [
      every(roundMs, 'choosing accounts to deliver to over SMPP', log, () => this.#refresh()),
      every(dueMs, 'delivering stored receipts over SMPP', log, () => this.#deliverDue()),
      every(cleaningMs, 'removing old receipts of SMPP', log, async () => {
        const removed = await removeOld(database)
        if (removed > 0)
          log.warn(
            { removed },
            'receipts that clients refused for three days were given up; inquiry still has their reports',
          )
      }),
    ]
  }

  /** A bind of the account has room. */
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

  /** Lists what a bind of this process can receive; another process may have a bind for the other kind. */
  #listWanted(): string[] {
    const { receivingAccounts, receiversOf, accounts } = this.#context
    const wanted: string[] = []
    for (const accountId of receivingAccounts()) {
      if (receiversOf(accountId, scopes.receipt).length > 0) wanted.push(keyOf(accountId, 'receipt'))
      const takesReplies = accounts.value.byId.get(accountId)?.smppReplies === true
      if (takesReplies && receiversOf(accountId, scopes.reply).length > 0)
        wanted.push(keyOf(accountId, 'reply'))
    }
    return wanted
  }

  #start(key: string): void {
    const { receiversOf, onResult, log } = this.#context
    const { accountId, kind } = parseKey(key)
    this.#feeds.start(
      key,
      () =>
        new Feed({
          source: sources[kind](this.#context, accountId),
          receivers: () => receiversOf(accountId, scopes[kind]),
          onResult: (result) => onResult(kind, result),
          budget: this.#budget,
          log,
        }),
    )
  }

  async #deliverDue(): Promise<void> {
    const { database, receiversOf, log } = this.#context
    const rooms = [...this.#feeds.running.keys()].map(parseKey).flatMap(({ accountId, kind }): Room[] => {
      if (kind !== 'receipt') return []
      const free = receiversOf(accountId, scopes.receipt).reduce((sum, receiver) => sum + receiver.free, 0)
      return free > 0 ? [{ accountId, room: Math.min(free, maxDue) }] : []
    })
    if (rooms.length === 0) return
    for (const receipt of await takeDue(database, rooms))
      await this.#deliver(receipt).catch((error: unknown) =>
        log.warn(
          { err: error as Error },
          'a stored receipt could not be delivered; it comes again in a minute',
        ),
      )
  }

  async #deliver(receipt: StoredReceipt): Promise<void> {
    const { database, formatTime, receiversOf, onResult, log } = this.#context
    const { accountId, messageId } = receipt
    const ref = readRef(receipt.ref)
    if (ref === null) return
    const msgKey = messageId.split('-')[0]!
    const addresses = (await readAddresses(database, accountId, [msgKey])).get(msgKey) ?? null
    const receiver = receiversOf(accountId, scopes.receipt).find(({ free }) => free > 0)
    if (receiver === undefined) return returnReceipt(database, receipt.id)
    receiver.deliver(receiptBody({ ...receipt, ref, addresses }, formatTime), (answer) => {
      if (answer.kind !== 'response') return
      const isAcknowledged = answer.commandStatus === statuses.ESME_ROK
      onResult('receipt', isAcknowledged ? 'acknowledged' : 'refused')
      const saved = isAcknowledged ? removeReceipt(database, receipt.id) : repeatReceipt(database, receipt)
      saved.catch((error: unknown) =>
        log.warn(
          { err: error as Error },
          'the answer to a stored receipt could not be saved; it is delivered again',
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
