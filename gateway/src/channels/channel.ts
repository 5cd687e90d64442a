/**
 * The interface of a channel: the body it accepts, the limits it enforces, what a connector receives, and how
 * its results are named in reports. Channels use no database, broker or clock.
 */
import type { TSchema } from 'typebox'
import type { FieldCodes } from '../contract/result-codes.ts'
import type { Cause } from './cause.ts'
import type { Issues } from './issues.ts'
import type { TextEncoding, TextPart } from './text/parts.ts'

export type TextChannelName = 'sms' | 'international'
export type RichChannelName = 'mms' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage'
export type ChannelName = TextChannelName | RichChannelName

/** The content of one channel in a flow, as it is recorded and passed between stages. */
export type Step = TextStep | RichStep

export interface TextStep {
  readonly channel: TextChannelName
  readonly from: string
  readonly text: string
  readonly originCid?: string
  /** Time limit of the step; defaults to the configured one. */
  readonly ttlSeconds?: number
}

export interface RichStep {
  readonly channel: RichChannelName
  /** The content as the client sent it, checked, with its placeholders filled in and its texts as they are sent. */
  readonly content: object
  readonly ttlSeconds?: number
}

/** A checked send request to one destination. */
export interface Draft {
  readonly to: string
  readonly ref?: string
  /** Send time in milliseconds; immediate if absent. */
  readonly sendAt?: number
  readonly paymentCode?: string
  readonly steps: readonly Step[]
  /** The trust rule that holds the message for an operator; set by the accept stage. */
  heldBy?: string
}

/** The unit that a connector submits: a part of a text, or a whole rich message. */
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
  /** Allowed pixel sizes; if absent, any size that the upload accepted. */
  readonly sizes?: readonly ImageSize[]
  /** Kinds of upload (`FW`, `wideItemList/first`): the image must meet the requirements of one of them. */
  readonly kinds?: readonly string[]
  /** Limit for the total bytes of all files of the content that have it. */
  readonly bytesTogether?: number
}

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** A step's text as it is sent, and its length as its channel counts it. */
export interface Measure {
  readonly text: string
  /** `null` if the carrier chooses it. */
  readonly encoding: TextEncoding | null
  /** `null` if the channel does not count bytes or the text cannot be encoded. */
  readonly bytes: number | null
  /** UTF-16 code units of the text as sent. */
  readonly characters: number
}

export interface Channel {
  readonly name: ChannelName
  readonly serviceType: string
  /** Body of the simple send. */
  readonly schema: TSchema
  /** The channel's object in a message flow; `null` if it cannot be part of one. */
  readonly entry: TSchema | null
  /**
   * Result code for an invalid field, by its path without indexes or by the end of its path; A300 for all
   * others.
   */
  readonly fieldCodes: FieldCodes
  /**
   * Applies the checks that a schema cannot express to a simple send that matches the schema. After an issue
   * the draft holds the values that could be read: a dry run describes it, but it must not be sent.
   */
  draft(body: unknown, issues: Issues): Draft
  /** Does the same for a flow entry with its placeholders filled in; `at` is the path before its fields. */
  step(entry: unknown, at: string, issues: Issues): Step
  files(step: Step): readonly FileReference[]
  msgType(step: Step): string
  /** Returns the number or sender ID of the sender, or '' if the channel has none. */
  sender(step: Step): string
  /**
   * Splits the step into the parts to submit, as many on every route. The concatenation reference is derived
   * from `seed`; `wide` leaves room for a reference of 16 bits if that needs no further part.
   */
  parts(step: Step, seed: string, wide?: boolean): readonly Part[]
  measure(step: Step): Measure
  /** `detail` is a code of `report-details.ts` that is more specific than the cause. */
  reportCode(cause: Cause, detail?: string): ReportCode
}

/** A channel whose steps are texts. */
export interface TextChannel extends Channel {
  draft(body: unknown, issues: Issues): Draft & { readonly steps: readonly TextStep[] }
  step(entry: unknown, at: string, issues: Issues): TextStep
  parts(step: Step, seed: string, wide?: boolean): readonly TextPart[]
}

export interface ReportCode {
  readonly code: string
  readonly text: string
}
