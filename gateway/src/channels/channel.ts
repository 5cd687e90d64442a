/**
 * What every kind of message defines: the body it accepts, the limits it enforces, what a connector receives,
 * and how its results are named in reports. Channels are pure: no database, no broker, no clock.
 */
import type { TSchema } from 'typebox'
import type { FieldCodes } from '../contract/result-codes.ts'
import type { Cause } from './cause.ts'
import type { Issues } from './issues.ts'
import type { TextEncoding, TextPart } from './text/parts.ts'

export type TextChannelName = 'sms' | 'international'
export type RichChannelName = 'mms' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage'
export type ChannelName = TextChannelName | RichChannelName

/** One channel's content in a flow, as it is recorded and carried between stages. */
export type Step = TextStep | RichStep

export interface TextStep {
  readonly channel: TextChannelName
  readonly from: string
  readonly text: string
  readonly originCid?: string
  /** How long the step may take; the configured time when absent. */
  readonly ttlSeconds?: number
}

export interface RichStep {
  readonly channel: RichChannelName
  /** As the client gave it, checked, with its placeholders filled in. */
  readonly content: object
  readonly ttlSeconds?: number
}

/** A checked send request to one destination. */
export interface Draft {
  readonly to: string
  readonly ref?: string
  /** When it is to be sent, in milliseconds; at once when absent. */
  readonly sendAt?: number
  readonly paymentCode?: string
  readonly steps: readonly Step[]
}

/** What a connector is given at once: a part of a text, or a whole rich message. */
export type Part = TextPart | RichPart

export interface RichPart {
  readonly kind: 'rich'
  readonly channel: RichChannelName
  readonly content: object
  readonly part: 1
  readonly parts: 1
}

/** An uploaded file that a content refers to. */
export interface FileReference {
  readonly key: string
  readonly path: string
  readonly use: 'MMS' | 'RCS' | 'FRIENDTALK' | 'BRANDMESSAGE'
  /** Pixels that its place wants, any one of these; absent where the upload's check is all. */
  readonly sizes?: readonly ImageSize[]
  /** Bytes that all files of the content with this limit may have together. */
  readonly bytesTogether?: number
}

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** How long a step's text is, as its channel counts. */
export interface Measure {
  /** Null where the channel leaves it to the carrier. */
  readonly encoding: TextEncoding | null
  /** Null where the channel counts no bytes, or the text cannot be encoded. */
  readonly bytes: number | null
  /** UTF-16 units of the text as it is sent. */
  readonly characters: number
}

export interface Channel {
  readonly name: ChannelName
  readonly serviceType: string
  /** Shape of the simple send's body. */
  readonly schema: TSchema
  /** Shape of the channel's object in a message flow; null when it cannot be part of one. */
  readonly entry: TSchema | null
  /** Result code for a wrong field by its path without indexes, or by the end of its path; else A300. */
  readonly fieldCodes: FieldCodes
  /**
   * Checks a simple send of the right shape beyond what a schema can say. With issues, the draft holds what could be
   * read; it serves a dry run and must not be sent.
   */
  draft(body: unknown, issues: Issues): Draft
  /** Checks an entry of a flow likewise, its placeholders filled in; `at` is the path before its fields. */
  step(entry: unknown, at: string, issues: Issues): Step
  files(step: Step): readonly FileReference[]
  msgType(step: Step): string
  /** The sender's number, where the channel has one. */
  sender(step: Step): string
  /** What the connector is given, part by part. `seed` makes the concatenation reference. */
  parts(step: Step, seed: string): readonly Part[]
  measure(step: Step): Measure
  reportCode(cause: Cause): ReportCode
}

/** A channel whose every step is a text. */
export interface TextChannel extends Channel {
  draft(body: unknown, issues: Issues): Draft & { readonly steps: readonly TextStep[] }
  step(entry: unknown, at: string, issues: Issues): TextStep
  parts(step: Step, seed: string): readonly TextPart[]
}

export interface ReportCode {
  readonly code: string
  readonly text: string
}
