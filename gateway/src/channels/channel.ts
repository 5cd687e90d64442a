/**
 * What every kind of message defines: the body it accepts, the limits it enforces, what a connector receives,
 * and how its results are named in reports. Channels are pure: no database, no broker, no clock.
 */
import type { TSchema } from 'typebox'
import type { Cause } from './cause.ts'
import type { TextPart } from './text/parts.ts'

export type ChannelName = 'sms' | 'international'

/** One channel's content in a flow, as it is recorded and carried between stages. */
export interface Step {
  readonly channel: ChannelName
  readonly from: string
  readonly text: string
  readonly originCid?: string
}

/** A checked send request to one destination. */
export interface Draft {
  readonly to: string
  readonly ref?: string
  readonly steps: readonly Step[]
}

export interface Channel {
  readonly name: ChannelName
  readonly serviceType: string
  /** Shape of the simple send's body. */
  readonly schema: TSchema
  /** Result code for a wrong field of the body; other fields answer A300. */
  readonly fieldCodes: Readonly<Record<string, string>>
  /** Enforces what a schema cannot say; throws a Problem. */
  draft(body: unknown): Draft
  readonly msgType: string
  /** What the connector is given, part by part. `seed` makes the concatenation reference. */
  parts(step: Step, seed: string): readonly TextPart[]
  reportCode(cause: Cause): ReportCode
}

export interface ReportCode {
  readonly code: string
  readonly text: string
}
