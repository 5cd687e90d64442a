/**
 * What a connector's test gives to the conformance suite: a carrier that it can command. The carrier is the real protocol
 * over a real connection. `rbm-peer.ts` is the model over HTTP, on `peer-server.ts`, and `smpp-peer.ts` for a protocol of its own.
 */
import type { ConnectorContext } from '../../src/connectors/connector.ts'
import type { InboundAnswer, InboundRequest } from '../../src/connectors/kind.ts'

/** How the carrier answers submissions from now on. `silent` reads them and never answers. */
export type Behaviour =
  | 'accept'
  | 'throttle'
  | 'refuse'
  /** A temporary error that shows that it did not accept. */
  | 'fail'
  | 'silent'
  /** Reads a submission and closes the connection without an answer. */
  | 'hang-up'

export interface ReceivedSubmission {
  /** The id that the carrier gave or would give. */
  readonly id: string
  readonly to: string
}

export interface CarrierPeer {
  /** Options of a route to it. Time limits of two seconds are enough for a busy machine, and short enough to be waited out. */
  readonly options: Readonly<Record<string, unknown>>
  behave(behaviour: Behaviour): void
  /** Submissions that reached it, whatever it answered. */
  readonly received: readonly ReceivedSubmission[]
  /**
   * Reports the result of a submission, over its connection or by `harness.inbound`. Resolves with whether the gateway
   * acknowledged it: false when it must be sent again.
   */
  sendReceipt(submission: ReceivedSubmission, result: 'delivered' | 'failed' | 'pending'): Promise<boolean>
  /** Closes all connections and refuses new ones, until `resume`. */
  refuseConnections(): Promise<void>
  /** Keeps all connections open and reads and answers nothing on them, until `resume`. */
  freeze(): void
  /** Accepts connections at the same address and answers again. */
  resume(): Promise<void>
  /** From now on new logins need another credential; returns the options with it. */
  rotate(): Readonly<Record<string, unknown>>
  /** Each makes the carrier answer the next submission with something oversized or malformed. */
  readonly hostileAnswers: Readonly<Record<string, () => void>>
  close(): Promise<void>
}

/** What the suite gives to the peer. */
export interface Harness {
  /** Requests to the inbound path of the route, handled as the API does. Rejects for a kind without one. */
  inbound(request: Partial<InboundRequest>): Promise<InboundAnswer>
}

export interface Conformance {
  /** Name of the kind in the registry. */
  readonly kind: string
  open(harness: Harness): Promise<CarrierPeer>
  /** A recipient and content that the carrier takes; an SMS by default. */
  readonly submission?: Parameters<typeof import('../support/smpp/fixtures.ts').submission>[0]
  readonly openFile?: ConnectorContext['openFile']
  /** Checks that do not apply, with the reason. */
  readonly without?: Readonly<Partial<Record<Check, string>>>
}

export const checks = [
  'accepted',
  'throttled',
  'refused',
  'temporary failure',
  'unreachable',
  'no answer',
  'connection lost',
  'half-open connection',
  'window',
  'receipt',
  'receipt that cannot be stored',
  'early receipt',
  'late receipt',
  'duplicated receipt',
  'intermediate notice',
  'drain',
  'stop while frozen',
  'rotated credentials',
  'hostile answers',
] as const
export type Check = (typeof checks)[number]
