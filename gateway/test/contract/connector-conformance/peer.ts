import type { ConnectorContext } from '../../../src/carriers/connectors/connector.ts'
import type { InboundResponse, InboundRequest } from '../../../src/carriers/connectors/options/kind.ts'

/** Reaction of the carrier to submissions. `silent` reads them without responding. */
export type PeerBehaviour =
  | 'accept'
  | 'throttle'
  | 'refuse'
  /** Responds with a temporary error, which means not accepted. */
  | 'fail'
  | 'silent'
  /** Reads a submission and closes the connection without a response. */
  | 'hang-up'

export interface ReceivedSubmission {
  /** ID by which receipts refer to the submission, assigned by the carrier or the gateway as the protocol requires. */
  readonly id: string
  readonly to: string
}

/**
 * Carrier controlled by a test, with the real protocol over a real connection. For a new one see
 * `rbm-peer.ts` (HTTP, based on `peer-server.ts`) and `smpp-peer.ts` (another protocol).
 */
export interface CarrierPeer {
  /**
   * Options of a route to the carrier. Use time limits of two seconds: enough on a busy machine, and tests
   * wait for them.
   */
  readonly options: Readonly<Record<string, unknown>>
  setBehaviour(behaviour: PeerBehaviour): void
  /** All received submissions, including rejected ones. */
  readonly received: readonly ReceivedSubmission[]
  /**
   * Reports the result of a submission, over its connection or with `harness.inbound`. Resolves with false if
   * the gateway did not acknowledge it, so that the carrier must send it again.
   */
  sendReceipt(submission: ReceivedSubmission, result: 'delivered' | 'failed' | 'pending'): Promise<boolean>
  /** Closes all connections and refuses new ones until `resume`. */
  refuseConnections(): Promise<void>
  /** Keeps all connections open without reading or responding until `resume`. */
  freeze(): void
  /** Accepts connections at the same address and responds again. */
  resume(): Promise<void>
  /** Changes the credential required for new logins and returns the options with the new one. */
  rotateCredentials(): Readonly<Record<string, unknown>>
  /** Each function makes the carrier respond to the next submission with oversized or malformed data. */
  readonly hostileResponses: Readonly<Record<string, () => void>>
  close(): Promise<void>
}

export interface PeerHarness {
  /**
   * Handles a request to the inbound path of the route like the API. Rejects if the kind has no inbound path.
   */
  inbound(request: Partial<InboundRequest>): Promise<InboundResponse>
}

export interface ConformanceOptions {
  /** Name of the kind in the registry. */
  readonly kind: string
  open(harness: PeerHarness): Promise<CarrierPeer>
  /** Recipient and content that the carrier accepts. Default: an SMS. */
  readonly submission?: Parameters<typeof import('../../support/smpp/fixtures.ts').submission>[0]
  readonly openFile?: ConnectorContext['openFile']
  /** Checks that do not apply, with reasons. */
  readonly without?: Readonly<Partial<Record<CheckName, string>>>
}

export const checkNames = [
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
export type CheckName = (typeof checkNames)[number]
