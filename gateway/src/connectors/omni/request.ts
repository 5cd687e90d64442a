/**
 * The send that a submission becomes: one channel to one recipient, never with a fallback, and our reference as `ref`. A
 * simple send where its body can say everything; otherwise a flow of one message, which alone has a time limit, item
 * lists and the other bubbles. Pure.
 */
import { Compile, type Validator } from 'typebox/compile'
import type { ChannelName, Step } from '../../channels/channel.ts'
import { defaultExpiryOption, expirySeconds, type ExpiryOption } from '../../channels/rcs/limits.ts'
import { channels } from '../../channels/registry.ts'
import type { Submission } from '../connector.ts'
import type { OmniOptions } from './options.ts'

const longMs = 120_000
const longStepSeconds = 10
/** `ttl` of the API when it is left out. */
const defaultTtlSeconds = 86_400

export interface SendRequest {
  readonly path: string
  readonly body: string
}

/** By reference as the content names it: the reference at the service. */
export type UploadedFiles = ReadonlyMap<string, string>

export function toRequest(
  {
    given,
    to,
    reference,
    validUntil,
    originCid,
  }: Pick<Submission, 'given' | 'to' | 'reference' | 'validUntil'> & Partial<Pick<Submission, 'originCid'>>,
  files: UploadedFiles,
  nowMs: number,
  { expiryToleranceMs }: Pick<OmniOptions, 'expiryToleranceMs'>,
): SendRequest {
  const leftMs = validUntil.getTime() - nowMs
  const content = {
    ...withFiles(withOrigin(contentOf(given), given.channel, originCid), files),
    ...timeLimit(given, leftMs, expiryToleranceMs),
  }
  const simple = { ...content, to, ref: reference }
  if (validatorOf(given.channel).Check(simple))
    return { path: `/v1/send/${given.channel}`, body: JSON.stringify(simple) }
  const destination = { to, ...replaceWords(content) }
  const flow = { destinations: [destination], messageFlow: [{ [given.channel]: content }], ref: reference }
  return { path: '/v1/send/omni', body: JSON.stringify(flow) }
}

type Content = Readonly<Record<string, unknown>>

function contentOf(step: Step): Content {
  if (!('text' in step)) return step.content as Content
  const { from, text, originCid } = step
  return { from, text, ...(originCid === undefined ? {} : { originCID: originCid }) }
}

/** Channels whose body has a place for the code. */
const withOriginCid: ReadonlySet<ChannelName> = new Set<ChannelName>(['sms', 'mms', 'brandmessage'])

/** Where the client gave no code, that of its account or of the operator. */
function withOrigin(content: Content, channel: ChannelName, originCid: string | undefined): Content {
  if (originCid === undefined || content.originCID !== undefined || !withOriginCid.has(channel))
    return content
  return { ...content, originCID: originCid }
}

/** How long the service tries without a time limit; null for a channel whose flow entry has no `ttl` at the service. */
function serviceSeconds(step: Step): number | null {
  if (step.channel === 'rcs') {
    const { expiryOption = defaultExpiryOption } = step.content as { readonly expiryOption?: ExpiryOption }
    return expirySeconds[expiryOption]
  }
  return step.channel === 'sms' || step.channel === 'mms' ? defaultTtlSeconds : null
}

/** What is left of the time of the step, where the client gave a limit or the service would try for longer. */
function timeLimit(step: Step, leftMs: number, toleranceMs: number): { readonly ttl?: string } {
  const service = serviceSeconds(step)
  if (service === null) return {}
  const { ttlSeconds = service } = step
  if (ttlSeconds === service && leftMs >= service * 1_000 - toleranceMs) return {}
  return { ttl: String(Math.max(1, Math.min(ttlSeconds, secondsOf(leftMs)))) }
}

/**
 * Of a long time in steps, so that a repeat soon after has the same body, and the next owner of the route can find the body
 * of the previous one (`sender.ts`).
 */
function secondsOf(leftMs: number): number {
  const step = leftMs < longMs ? 1 : longStepSeconds
  return Math.floor(leftMs / 1_000 / step) * step
}

function withFiles(content: Content, files: UploadedFiles): Content {
  return files.size === 0 ? content : (mapTexts(content, (text) => replaceFile(text, files)) as Content)
}

function replaceFile(text: string, files: UploadedFiles): string {
  const whole = files.get(text)
  if (whole !== undefined) return whole
  // An RCS video is its address, a comma and the thumbnail.
  const comma = text.lastIndexOf(',')
  const thumbnail = comma === -1 ? undefined : files.get(text.slice(comma + 1))
  return thumbnail === undefined ? text : text.slice(0, comma + 1) + thumbnail
}

/** The content was checked when it was accepted, its depth included. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change)]))
}

/** Placeholders are filled in already. What looks like one is text, and a flow returns it unchanged by its own value. */
function replaceWords(content: Content): { readonly replaceWords?: Readonly<Record<string, string>> } {
  const keys = new Set<string>()
  mapTexts(content, (text) => {
    if (text.includes('#{')) for (const [, key] of text.matchAll(/#\{([^{}]+)\}/g)) keys.add(key!)
    return text
  })
  if (keys.size === 0) return {}
  return { replaceWords: Object.fromEntries([...keys].map((key) => [key, `#{${key}}`])) }
}

const validators = new Map<ChannelName, Validator>()

function validatorOf(channel: ChannelName): Validator {
  let validator = validators.get(channel)
  if (validator === undefined) validators.set(channel, (validator = Compile(channels[channel].schema)))
  return validator
}
