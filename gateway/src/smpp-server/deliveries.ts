/**
 * Which accounts this process delivers receipts and replies to: those that are bound to it and that no other process has. One process
 * at a time delivers for an account, so that its binds share the work; two for a moment do no harm, because each moves the position
 * only past what it has delivered itself. A process that has ended is replaced when its heartbeat is old.
 */
import type { AccountDirectory } from '../accounts/directory.ts'
import type { Scope } from '../accounts/credential.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { every, type Periodic } from '../platform/periodic.ts'
import { statuses } from '../smpp/status.ts'
import { claimDeliveries, releaseDeliveries } from './bind-queries.ts'
import { Feed, type DeliveryResult, type FeedSource, type Receiver } from './feed.ts'
import { receiptBody } from './receipt.ts'
import { readAddresses, receiptSource, replySource, type SourceContext } from './sources.ts'
import { removeOld, removeReceipt, repeatReceipt, takeDue, type StoredReceipt } from './stored-receipts.ts'
import { readRef } from './submit-ref.ts'

type Kind = 'receipt' | 'reply'

export interface DeliveriesContext extends SourceContext {
  readonly accounts: AccountDirectory
  readonly server: string
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
const dueLimit = 200
const cleaningMs = 3_600_000

export class Deliveries {
  readonly #context: DeliveriesContext
  readonly #feeds = new Map<number, Map<Kind, Feed>>()
  readonly #rounds: readonly Periodic[]

  constructor(context: DeliveriesContext) {
    this.#context = context
    const { log, database } = context
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
    for (const feed of this.#feeds.get(accountId)?.values() ?? []) feed.pump()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#rounds.map((round) => round.stop()))
    await this.#release([...this.#feeds.keys()])
  }

  async #refresh(): Promise<void> {
    const { receivingAccounts, database, server } = this.#context
    const bound = new Set(receivingAccounts())
    const left = [...this.#feeds.keys()].filter((accountId) => !bound.has(accountId))
    if (left.length > 0) await this.#release(left)
    if (bound.size === 0) return
    const owned = await claimDeliveries(database, server, [...bound])
    // Another process has taken them: it begins at the saved position.
    for (const accountId of this.#feeds.keys()) if (!owned.has(accountId)) await this.#stop(accountId)
    for (const accountId of owned) await this.#start(accountId)
  }

  async #start(accountId: number): Promise<void> {
    const { accounts } = this.#context
    let feeds = this.#feeds.get(accountId)
    if (feeds === undefined) this.#feeds.set(accountId, (feeds = new Map<Kind, Feed>()))
    await this.#startOrStop(feeds, accountId, 'receipt', 'report', true, receiptSource)
    const takesReplies = accounts.value.byId.get(accountId)?.smppReplies === true
    await this.#startOrStop(feeds, accountId, 'reply', 'replies', takesReplies, replySource)
  }

  async #startOrStop(
    feeds: Map<Kind, Feed>,
    accountId: number,
    kind: Kind,
    scope: Scope,
    isChosen: boolean,
    createSource: (context: SourceContext, accountId: number) => FeedSource,
  ): Promise<void> {
    const { receiversOf, onResult, log } = this.#context
    const runs = isChosen && receiversOf(accountId, scope).length > 0
    const feed = feeds.get(kind)
    if (runs && feed === undefined)
      feeds.set(
        kind,
        new Feed({
          source: createSource(this.#context, accountId),
          receivers: () => receiversOf(accountId, scope),
          onResult: (result) => onResult(kind, result),
          log,
        }),
      )
    if (!runs && feed !== undefined) {
      feeds.delete(kind)
      await feed.stop()
    }
  }

  async #stop(accountId: number): Promise<void> {
    const feeds = this.#feeds.get(accountId)
    this.#feeds.delete(accountId)
    await Promise.all([...(feeds?.values() ?? [])].map((feed) => feed.stop()))
  }

  /** The positions are saved first: the next process begins there. */
  async #release(accountIds: readonly number[]): Promise<void> {
    await Promise.all(accountIds.map((accountId) => this.#stop(accountId)))
    await releaseDeliveries(this.#context.database, this.#context.server, accountIds)
  }

  async #deliverDue(): Promise<void> {
    const { database, receiversOf } = this.#context
    const ready = [...this.#feeds.keys()].filter((accountId) => receiversOf(accountId, 'report').length > 0)
    if (ready.length === 0) return
    const due = await takeDue(database, ready, dueLimit)
    for (const receipt of due) await this.#deliver(receipt)
  }

  async #deliver(receipt: StoredReceipt): Promise<void> {
    const { database, formatTime, receiversOf, onResult, log } = this.#context
    const { accountId, messageId } = receipt
    const ref = readRef(receipt.ref)
    const receiver = receiversOf(accountId, 'report').find(({ free }) => free > 0)
    // It comes again after a minute.
    if (ref === null || receiver === undefined) return
    const msgKey = messageId.slice(0, 32)
    const addresses = (await readAddresses(database, accountId, [msgKey])).get(msgKey) ?? null
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
