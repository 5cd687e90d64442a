/**
 * A protocol over HTTP as the run sees it: how its simulated carriers and its route are started, what is sent, and how each
 * behaviour of the carrier must end.
 */
import type { HttpCarrierName } from '../../support/processes/simulator.ts'

export interface Ending {
  /** The report's code. */
  readonly code: string
  /** Whether the carrier accepts it; if so, exactly once. */
  readonly taken: boolean
  /** Throttling answers that it gets first. */
  readonly throttled: number
  /** It ends at its deadline, which is made short where the channel allows it. */
  readonly silent: boolean
}

export type Endings = Readonly<Record<string, Ending>>

/** Images that were uploaded to the gateway. */
export interface Images {
  readonly mms: string
  readonly rcs: string
}

export interface Place {
  /** Where the route takes requests of carriers. */
  readonly inbound: string
  /** For files. */
  readonly directory: string
}

/** A kind of message: a body of `POST /v1/send/<channel>` without `to` and `ref`. */
export interface Shape {
  readonly channel: 'mms' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage'
  readonly msgType: string
  /** The channel has `ttl`, in a flow. */
  readonly hasTtl: boolean
  readonly content: (text: string, images: Images) => object
  readonly endings: Endings
}

export interface Protocol {
  /** Of its route. */
  readonly name: string
  /** Of its connector. */
  readonly kind: string
  readonly carrier: HttpCarrierName
  /** Numbers that begin so are its own; five digits. */
  readonly prefix: string
  /** Its route also takes the steps of flows. */
  readonly takesFlows: boolean
  /** Arguments of each simulated carrier. */
  readonly simulators: (place: Place) => readonly (readonly string[])[]
  /** Options of the route, from the addresses of the simulated carriers. */
  readonly options: (urls: readonly string[]) => object
  readonly shapes: readonly Shape[]
  /** Every behaviour of the simulated carrier. */
  readonly behaviours: readonly { readonly ending: string; readonly summary: string }[]
  /** Behaviours that are not part of the run, with the reason. */
  readonly without: Readonly<Record<string, string>>
}

/** A deadline that is longer than every other behaviour takes. */
export const silentTtlSeconds = 12

/** A receipt is sent again after 3 s: an API that is slow for a moment must not get each of them several times. */
export const simulatorArguments = [
  ...['--slow-ms', '800', '--late-ms', '3000', '--receipt-delay-ms', '20'],
  ...['--receipt-timeout-ms', '3000', '--receipt-retry-ms', '300'],
]

/** Accepted, and reported with this code. */
export function taken(code: string, change: Partial<Ending> = {}): Ending {
  return { code, taken: true, throttled: 0, silent: false, ...change }
}

/** Not accepted. */
export function refused(code: string, change: Partial<Ending> = {}): Ending {
  return taken(code, { taken: false, ...change })
}

/** A run that leaves a behaviour out without a reason must not start. */
export function checkProtocols(protocols: readonly Protocol[]): void {
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
