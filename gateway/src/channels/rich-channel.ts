/**
 * Makes a Channel of a rich kind of message from what its folder exports. A rich message travels as the client gave
 * it, checked; its fallback is a second step.
 */
import type { TSchema } from 'typebox'
import { invalidField } from '../platform/problem.ts'
import type { Cause } from './cause.ts'
import type { Channel, FileReference, ReportCode, RichChannelName, RichStep, Step } from './channel.ts'
import { checkAllCharacters, checkRef } from './fields.ts'
import { isRecipient } from './numbers.ts'
import { readTtl } from './text-channel.ts'

/** What a rich channel's folder exports. `C` is its content: the entry of a flow, or the same fields of a body. */
export interface RichKind<C extends object> {
  readonly SimpleBody: TSchema
  readonly FlowEntry: TSchema
  readonly fieldCodes: Readonly<Record<string, string>>
  checkContent(content: C, at: string): void
  msgTypeOf(content: C): string
  fileKeysOf(content: C): readonly FileReference[]
  toSubmission(content: C): object
}

export interface RichOptions<C extends object> {
  readonly name: RichChannelName
  readonly serviceType: string
  readonly kind: RichKind<C>
  readonly reportCodes: Readonly<Record<Cause, ReportCode>>
  /** The channel's own deadline. */
  readonly ttlSeconds?: (content: C) => number
  /** The second step that a body's `fallback` stands for, checked. */
  readonly fallbackStep?: (fallback: object, body: C) => Step
}

interface RichBody {
  readonly to: string
  readonly ref?: string
  readonly fallback?: object
}

export function richChannel<C extends object>(options: RichOptions<C>): Channel {
  const { name, kind } = options

  function toStep(content: C, at: string): RichStep {
    checkAllCharacters(content, at)
    kind.checkContent(content, at)
    const { ttl } = content as { ttl?: string }
    const own =
      options.ttlSeconds === undefined ? readTtl(ttl, at) : { ttlSeconds: options.ttlSeconds(content) }
    return { channel: name, content, ...own }
  }

  return {
    name,
    serviceType: options.serviceType,
    schema: kind.SimpleBody,
    entry: kind.FlowEntry,
    fieldCodes: kind.fieldCodes,
    draft(candidate) {
      const { to, ref, fallback, ...content } = candidate as RichBody
      if (!isRecipient(to)) throw invalidField('A306', 'to', 'digits of a domestic number are wanted')
      checkRef(ref)
      const first = toStep(content as C, '')
      const next = fallback === undefined ? [] : [options.fallbackStep!(fallback, content as C)]
      return { to, ...(ref === undefined ? {} : { ref }), steps: [first, ...next] }
    },
    step: (entry, at) => toStep(entry as C, at),
    files: (step) => kind.fileKeysOf(contentOf(step) as C),
    msgType: (step) => kind.msgTypeOf(contentOf(step) as C),
    sender: (step) => (contentOf(step) as C as { from?: string }).from ?? '',
    parts: (step) => [
      { kind: 'rich', channel: name, content: kind.toSubmission(contentOf(step) as C), part: 1, parts: 1 },
    ],
    reportCode: (cause) => options.reportCodes[cause],
  }
}

function contentOf(step: Step): object {
  if ('content' in step) return step.content
  throw new TypeError(`a ${step.channel} step has no content of its own`)
}
