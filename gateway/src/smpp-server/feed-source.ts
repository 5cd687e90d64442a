/** What a feed delivers, and where it reads it. */
import type { DeliverBody } from './receipt.ts'

/** One PDU of an item. */
export interface Owed {
  readonly body: DeliverBody
  /** Stores it to be repeated later, because the client refuses it for good or never answers it. */
  readonly store: () => Promise<void>
  /** Times that it may stay without an answer, while the client answers others, before it is stored. */
  readonly maxTimeouts: number
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
