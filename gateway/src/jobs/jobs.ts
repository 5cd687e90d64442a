/**
 * The payloads that travel between stages. Content travels only until it is recorded, and in a route's working
 * set; everything else carries keys. `v` lets a newer process read what an older one wrote.
 */
import type { Cause } from '../channels/cause.ts'
import type { Step } from '../channels/channel.ts'

/** accept → intake. */
export interface AcceptedJob {
  readonly v: 1
  readonly msgKey: string
  readonly accountId: number
  readonly acceptedAt: number
  readonly to: string
  readonly ref?: string
  readonly paymentCode?: string
  /** When it is to be sent; at once when absent. */
  readonly sendAt?: number
  readonly steps: readonly Step[]
}

/** intake or settle → dispatch: one step of one message, released to a route. */
export interface RouteJob {
  readonly v: 1
  readonly msgKey: string
  readonly accountId: number
  readonly step: number
  readonly try: number
  readonly to: string
  readonly content: Step
  readonly dueAt: number
  /** Why this route, for the message's story. */
  readonly why?: string
  /** Submissions of this try that surely came to nothing, before it was given to this route. */
  readonly tries?: number
  /** Why it waited before its release, from when and until when. */
  readonly heldWhy?: string
  readonly heldAt?: number
  readonly releasedAt?: number
}

/** receipts → settle: what a carrier said. */
export interface ReceiptJob {
  readonly v: 1
  readonly kind: 'receipt'
  readonly routeId: string
  readonly carrierId: string | null
  readonly result: 'delivered' | 'failed'
  readonly cause: Cause
  readonly code: string
  readonly recipient: string
  readonly at: number
  readonly receivedAt: number
}

/** intake or dispatch → settle: the step has failed without a receipt. */
export interface VerdictJob {
  readonly v: 1
  readonly kind: 'verdict'
  readonly msgKey: string
  readonly step: number
  readonly try: number
  readonly cause: Cause
  readonly parts: number
  readonly at: number
}

export type SettleJob = ReceiptJob | VerdictJob
