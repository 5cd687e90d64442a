import type { HttpCarrierName } from '../../support/processes/simulator.ts'

export interface ProtocolExpectation {
  /** Report code. */
  readonly code: string
  /** Whether the carrier accepts the message (exactly once). */
  readonly taken: boolean
  /** Throttling responses before acceptance. */
  readonly throttled: number
  /** Whether the message ends at its deadline, which is short if the channel has `ttl`. */
  readonly silent: boolean
}

export type ProtocolExpectations = Readonly<Record<string, ProtocolExpectation>>

/** Keys of uploaded images. */
export interface UploadedImages {
  readonly mms: string
  readonly rcs: string
}

export interface TestEndpoints {
  /** URL for inbound requests from carriers. */
  readonly inbound: string
  /** Directory for files. */
  readonly directory: string
}

/** Message kind: a body of `POST /v1/send/<channel>` without `to` and `ref`. */
export interface MessageShape {
  readonly channel: 'mms' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage'
  readonly msgType: string
  /** Whether the channel has `ttl`, in a flow. */
  readonly hasTtl: boolean
  readonly content: (text: string, images: UploadedImages) => object
  readonly endings: ProtocolExpectations
}

/** HTTP protocol with its simulated carriers, route, messages and the expected result of each behaviour. */
export interface HttpProtocol {
  /** Route ID. */
  readonly name: string
  /** Connector kind. */
  readonly kind: string
  readonly carrier: HttpCarrierName
  /** Five-digit prefix of the numbers of this protocol. */
  readonly prefix: string
  /** Whether the route also accepts steps of flows. */
  readonly takesFlows: boolean
  /** Returns the arguments of each simulated carrier. */
  readonly simulators: (endpoints: TestEndpoints) => readonly (readonly string[])[]
  /** Returns the route options for the URLs of the simulated carriers. */
  readonly options: (urls: readonly string[]) => object
  readonly shapes: readonly MessageShape[]
  /** All behaviours of the simulated carrier. */
  readonly behaviours: readonly { readonly ending: string; readonly summary: string }[]
  /** Behaviours excluded from the run, with reasons. */
  readonly without: Readonly<Record<string, string>>
}

/** Deadline longer than the duration of every other behaviour. */
export const silentTtlSeconds = 12

/** Receipts without a response are repeated after 3 s, so that a short delay of the API does not cause many duplicates. */
export const simulatorArguments = [
  ...['--slow-ms', '800', '--late-ms', '3000', '--receipt-delay-ms', '20'],
  ...['--receipt-timeout-ms', '3000', '--receipt-retry-ms', '300'],
]

/** Expects acceptance and a report with this code. */
export function expectAccepted(code: string, change: Partial<ProtocolExpectation> = {}): ProtocolExpectation {
  return { code, taken: true, throttled: 0, silent: false, ...change }
}

/** Expects rejection. */
export function expectRejected(code: string, change: Partial<ProtocolExpectation> = {}): ProtocolExpectation {
  return expectAccepted(code, { taken: false, ...change })
}

/** Throws if a behaviour has neither an expectation nor a reason for its exclusion. */
export function checkProtocols(protocols: readonly HttpProtocol[]): void {
  for (const { name, shapes, behaviours, without } of protocols)
    for (const { channel, endings } of shapes) {
      const known = new Set([...Object.keys(endings), ...Object.keys(without)])
      const missing = behaviours.filter(({ ending }) => !known.has(ending))
      if (missing.length > 0)
        throw new Error(
          `${name}: ${channel} has no expectation for ${missing.map(({ ending }) => ending).join(', ')}`,
        )
    }
}
