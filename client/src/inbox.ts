/**
 * Reports or replies as async iterators. A batch is acknowledged when the caller asks for what follows it: what a caller
 * has not finished is given again, to this process or the next one. So an item may come twice and is never lost.
 */
import { sleep } from './abortable.ts'
import type { CallOptions } from './call.ts'
import { PosternApiError } from './errors.ts'

export interface PollOptions extends CallOptions {
  /** Wait after a poll without a result. Default 1,000. */
  readonly intervalMs?: number | undefined
  /** End when there is nothing more, instead of waiting for new items. */
  readonly untilEmpty?: boolean | undefined
}

export interface FollowOptions extends CallOptions {
  /** A name whose position the gateway stores. Without one, the caller stores `cursor` itself. */
  readonly consumer?: string | undefined
  /** Continue after this position. */
  readonly cursor?: string | undefined
  /** Start with what became known at this time. */
  readonly from?: Date | string | undefined
  readonly untilEmpty?: boolean | undefined
}

export interface Batch<Item> {
  readonly items: readonly Item[]
  /** Position after this batch. */
  readonly cursor: string
}

export interface StreamQuery {
  readonly consumer: string | undefined
  readonly cursor: string | undefined
  readonly from: string | undefined
  readonly wait: number
}

/** The calls of the API. */
export interface Mailbox<Item> {
  poll(options: CallOptions): Promise<{ readonly batchId: string; readonly items: readonly Item[] }>
  acknowledge(batchId: string, options: CallOptions): Promise<unknown>
  read(query: StreamQuery, options: CallOptions): Promise<Batch<Item>>
  move(consumer: string, cursor: string, options: CallOptions): Promise<unknown>
}

export class Inbox<Item> {
  readonly #mailbox: Mailbox<Item>

  constructor(mailbox: Mailbox<Item>) {
    this.#mailbox = mailbox
  }

  /** Everything of the account by polling; a batch is acknowledged after the loop has handled it. */
  async *poll(options: PollOptions = {}): AsyncGenerator<Item, void> {
    const { intervalMs = 1_000, untilEmpty = false, signal } = options
    for (;;) {
      const { batchId, items } = await this.#mailbox.poll(options)
      if (items.length === 0) {
        if (untilEmpty) return
        await sleep(intervalMs, signal)
        continue
      }
      yield* items
      await this.#acknowledge(batchId, options)
    }
  }

  /** Another poller, or an earlier try whose answer was lost, may have acknowledged it. */
  async #acknowledge(batchId: string, options: CallOptions): Promise<void> {
    try {
      await this.#mailbox.acknowledge(batchId, options)
    } catch (error) {
      if (!(error instanceof PosternApiError && error.code === 'A805')) throw error
    }
  }

  /** The stream: batches as they become known, from any position, for any number of readers. */
  async *follow(options: FollowOptions = {}): AsyncGenerator<Batch<Item>, void> {
    const { consumer, untilEmpty = false } = options
    let { cursor } = options
    let from = options.from instanceof Date ? options.from.toISOString() : options.from
    for (;;) {
      const batch = await this.#mailbox.read({ consumer, cursor, from, wait: untilEmpty ? 0 : 20 }, options)
      if (batch.items.length === 0 && untilEmpty) return
      // From now on the position says where to continue.
      cursor = batch.cursor
      from = undefined
      if (batch.items.length === 0) continue
      yield batch
      if (consumer !== undefined) await this.#mailbox.move(consumer, cursor, options)
    }
  }
}
