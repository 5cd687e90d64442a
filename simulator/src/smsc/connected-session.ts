/** The interface of a session towards the SMSC state; `session.ts` implements it. */
import type { Receiver } from './mailbox.ts'
import type { Receipt } from './receipt.ts'

export type BindKind = 'transmitter' | 'receiver' | 'transceiver'

export interface ConnectedSession extends Receiver {
  /** Undefined until it is bound. */
  readonly kind: BindKind | undefined
  /** Writes what was queued for the client. */
  flush(): void
  /** Removes and returns the receipts that were sent before a time, or all, and are not answered. */
  takeUnanswered(before?: number): Receipt[]
  pause(): void
  resume(): void
  /** Closes the connection at once. */
  destroy(): void
}
