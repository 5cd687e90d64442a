/**
 * Creates the Channel of a rich kind of message from the exports of its folder. A rich message is recorded as
 * the client sent it, after its checks; its fallback is a second step.
 */
import type { TSchema } from 'typebox'
import type { FieldCodes } from '../contract/result-codes.ts'
import type { Cause } from './cause.ts'
import type { Channel, FileReference, ReportCode, RichChannelName, RichStep, Step } from './channel.ts'
import { checkAllCharacters, checkRef, readRecipient } from './fields.ts'
import type { Issues } from './issues.ts'
import { countTextBytes } from './text/bytes.ts'
import { getReportCode } from './report-codes.ts'
import { normalizeText } from './text/normalize.ts'
import { capTtl, readTtl } from './ttl.ts'

/**
 * The exports of the folder of a rich channel. `C` is its content: the entry of a flow, or the same fields of
 * a body.
 */
export interface RichKind<C extends object> {
  readonly SimpleBody: TSchema
  readonly FlowEntry: TSchema
  readonly fieldCodes: FieldCodes
  checkContent(content: C, at: string, issues: Issues): void
  /** Checks the length of texts that are sent in CP949. Returns the content with the texts that are sent. */
  limitTexts?(content: C, at: string, issues: Issues): C
  getMsgType(content: C): string
  getFileReferences(content: C): readonly FileReference[]
  /** Returns the text whose length is limited. */
  getText(content: C): string
  toSubmission(content: C): object
}

export interface RichOptions<C extends object> {
  readonly name: RichChannelName
  readonly serviceType: string
  readonly kind: RichKind<C>
  readonly reportCodes: Readonly<Record<Cause, ReportCode>>
  /** Returns the time limit that the content sets without `ttl`. */
  readonly ttlSeconds?: (content: C) => number
  /** Checks the `fallback` of a body and returns the second step. */
  readonly fallbackStep?: (fallback: object, body: C, issues: Issues) => Step
  /** Set if the carrier counts CP949 bytes. */
  readonly countsBytes?: true
}

interface RichBody {
  readonly to: string
  readonly ref?: string
  readonly fallback?: RichFallback
}

interface RichFallback {
  readonly ttl?: string
}

export function richChannel<C extends object>(options: RichOptions<C>): Channel {
  const { name, kind, ttlSeconds } = options

  function toStep(content: C, at: string, issues: Issues): RichStep {
    checkAllCharacters(content, at, issues)
    kind.checkContent(content, at, issues)
    return {
      channel: name,
      content: kind.limitTexts?.(content, at, issues) ?? content,
      ...(ttlSeconds === undefined ? {} : { ttlSeconds: ttlSeconds(content) }),
    }
  }

  function toFallbackStep({ ttl, ...fallback }: RichFallback, content: C, issues: Issues): Step {
    const step = options.fallbackStep!(fallback, content, issues)
    return capTtl(step, readTtl(ttl, 'fallback.', issues))
  }

  return {
    name,
    serviceType: options.serviceType,
    schema: kind.SimpleBody,
    entry: kind.FlowEntry,
    fieldCodes: { ...kind.fieldCodes, ttl: 'A304' },
    draft(candidate, issues) {
      const { to: given, ref, fallback, ...content } = candidate as RichBody
      const to = readRecipient(given, 'to', issues)
      checkRef(ref, issues)
      const first = toStep(content as C, '', issues)
      const next = fallback === undefined ? [] : [toFallbackStep(fallback, content as C, issues)]
      return { to, ...(ref === undefined ? {} : { ref }), steps: [first, ...next] }
    },
    step: (entry, at, issues) => toStep(entry as C, at, issues),
    files: (step) => kind.getFileReferences(requireContent(step) as C),
    msgType: (step) => kind.getMsgType(requireContent(step) as C),
    sender: (step) => (requireContent(step) as C as { from?: string }).from ?? '',
    parts: (step) => [
      {
        kind: 'rich',
        channel: name,
        content: kind.toSubmission(requireContent(step) as C),
        part: 1,
        parts: 1,
      },
    ],
    measure(step) {
      const text = normalizeText(kind.getText(requireContent(step) as C))
      const countsBytes = options.countsBytes === true
      return {
        text,
        encoding: countsBytes ? 'cp949' : null,
        bytes: countsBytes ? countTextBytes(text) : null,
        characters: text.length,
      }
    },
    reportCode: (cause, detail) => getReportCode(options.reportCodes, cause, detail),
  }
}

function requireContent(step: Step): object {
  if ('content' in step) return step.content
  throw new TypeError(`a ${step.channel} step has no content`)
}
