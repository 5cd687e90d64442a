import { sleep } from './abortable.ts'
import type { CallOptions } from './call.ts'
import { PosternApiError } from './errors.ts'
import { toIsoTime } from './iso-time.ts'

export interface PollOptions extends CallOptions {
  /** Delay after an empty poll. Default 1,000. */
  readonly intervalMs?: number | undefined
  /** End after the last item instead of waiting for new ones. */
  readonly untilEmpty?: boolean | undefined
}

export interface FollowOptions extends CallOptions {
  /** Name under which the gateway stores the position. Without a name, the caller must store `cursor`. */
  readonly consumer?: string | undefined
  /** Continue after this position. */
  readonly cursor?: string | undefined
  /** Start with items recorded at or after this time. */
  readonly from?: Date | string | undefined
  readonly untilEmpty?: boolean | undefined
}

export interface InboxPage<Item> {
  readonly items: readonly Item[]
  /** Position after these items. */
  readonly cursor: string
}

export interface StreamQuery {
  readonly consumer: string | undefined
  readonly cursor: string | undefined
  readonly from: string | undefined
  readonly wait: number
}

/** Longest time that a read of the stream waits for an item. */
const maxWaitSeconds = 20

/** API calls for reports or for replies. */
export interface Mailbox<Item> {
  poll(options: CallOptions): Promise<{ readonly batchId: string; readonly items: readonly Item[] }>
  acknowledge(batchId: string, options: CallOptions): Promise<unknown>
  read(query: StreamQuery, options: CallOptions): Promise<InboxPage<Item>>
  /** Stores the position of a consumer. */
  move(consumer: string, cursor: string, options: CallOptions): Promise<unknown>
}

/**
 * Reads reports or replies as async iterators. A batch is acknowledged when the caller requests the next item
 * after it. An unfinished batch is returned again, to this process or another: an item can arrive twice but
 * is never lost.
 */
export class Inbox<Item> {
  readonly #mailbox: Mailbox<Item>

  constructor(mailbox: Mailbox<Item>) {
    this.#mailbox = mailbox
  }

  /**
   * Yields items one by one. Acknowledges each batch for the whole account: other pollers do not receive it.
   */
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

  /** Ignores A805: another poller, or an earlier attempt whose response was lost, acknowledged the batch. */
  async #acknowledge(batchId: string, options: CallOptions): Promise<void> {
    try {
      await this.#mailbox.acknowledge(batchId, options)
    } catch (error) {
      if (!(error instanceof PosternApiError && error.code === 'A805')) throw error
    }
  }

  /** Yields pages of the stream from any position. Consumers do not affect each other. */
  async *follow(options: FollowOptions = {}): AsyncGenerator<InboxPage<Item>, void> {
    const { consumer, untilEmpty = false } = options
    let { cursor } = options
    let from = toIsoTime(options.from)
    for (;;) {
      const wait = untilEmpty ? 0 : maxWaitSeconds
      const page = await this.#mailbox.read({ consumer, cursor, from, wait }, options)
      if (page.items.length === 0 && untilEmpty) return
      cursor = page.cursor
      from = undefined
      if (page.items.length === 0) continue
      yield page
      if (consumer !== undefined) await this.#mailbox.move(consumer, cursor, options)
    }
  }
}
