/** What the SMSC needs of a session; `session.ts` implements it. */
import type { Receiver } from './mailbox.ts'
import type { Receipt } from './receipt.ts'

export type BindKind = 'transmitter' | 'receiver' | 'transceiver'

export interface ConnectedSession extends Receiver {
  /** Undefined until it is bound. */
  readonly kind: BindKind | undefined
  /** Writes what was queued for the client. */
  flush(): void
  /** Gives up waiting for answers to the receipts sent before a time, or to all of them. */
  surrender(before?: number): Receipt[]
  pause(): void
  resume(): void
  /** Hangs up in the middle of everything. */
  cut(): void
}
