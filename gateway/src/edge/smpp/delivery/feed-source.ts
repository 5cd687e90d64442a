import type { DeliverBody } from './receipt.ts'

/** PDU of an item that must be delivered. */
export interface PendingPdu {
  readonly body: DeliverBody
  /**
   * Ends the delivery by the feed, because the client refuses the PDU or never responds, or it cannot be encoded:
   * stores a receipt for a later retry, and abandons a reply.
   */
  readonly store: () => Promise<void>
  /**
   * Number of temporary refusals, or of time-outs, after which `store` is called if the client accepts, or
   * answers, others.
   */
  readonly maxFailures: number
}

export interface FeedItem {
  readonly seq: number
  /** Empty if the item is not for this client. */
  readonly pdus: readonly PendingPdu[]
}

export interface FeedSource {
  position(): Promise<number>
  /** Returns the next items after `seq`, in order; fewer than `limit` at the end. */
  read(seq: number, limit: number): Promise<readonly FeedItem[]>
  /** Resolves when there may be an item after `seq`, or after a few seconds. */
  wait(seq: number, signal: AbortSignal): Promise<void>
  save(seq: number): Promise<void>
}
