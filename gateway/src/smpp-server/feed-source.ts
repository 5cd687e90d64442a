/** What a feed delivers, and where it reads it. */
import type { DeliverBody } from './receipt.ts'

/** One PDU of an item. */
export interface Owed {
  readonly body: DeliverBody
  /** Stores it to be repeated later, because the client keeps refusing it or never answers it. */
  readonly store: () => Promise<void>
  /** How many temporary refusals, or time-outs while the client answers others, lead to `store`. */
  readonly maxFailures: number
}

export interface FeedItem {
  readonly seq: number
  /** None: it is not for this client. */
  readonly owed: readonly Owed[]
}

export interface FeedSource {
  position(): Promise<number>
  /** The next items after `seq`, in order; fewer than `limit` at the end. */
  read(seq: number, limit: number): Promise<readonly FeedItem[]>
  /** Resolves when there may be an item after `seq`, or after some seconds. */
  wait(seq: number, signal: AbortSignal): Promise<void>
  save(seq: number): Promise<void>
}
