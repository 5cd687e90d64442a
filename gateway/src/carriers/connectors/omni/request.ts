/**
 * Converts a submission to a send: one channel to one recipient, never with a fallback, with our reference as `ref`. Uses a simple
 * send if its schema accepts the content, otherwise a flow of one message: only flows have a time limit, for example.
 */
import { Compile, type Validator } from 'typebox/compile'
import type { ChannelName, Step } from '../../../channels/channel.ts'
import { defaultExpiryOption, expirySeconds, type ExpiryOption } from '../../../channels/rcs/limits.ts'
import { channels } from '../../../channels/registry.ts'
import type { Submission } from '../connector.ts'
import type { OmniOptions } from './options.ts'

/** From this remaining time on, a time limit is rounded to `longUnitSeconds`. */
const longMs = 120_000
const longUnitSeconds = 10
/** Default `ttl` of the API. */
const defaultTtlSeconds = 86_400

export interface OmniSendRequest {
  readonly path: string
  readonly body: string
}

/** References at the service by the reference in the content. */
export type OmniFileReferences = ReadonlyMap<string, string>

export function toOmniRequest(
  {
    given,
    to,
    reference,
    validUntil,
    originCid,
  }: Pick<Submission, 'given' | 'to' | 'reference' | 'validUntil'> & Partial<Pick<Submission, 'originCid'>>,
  files: OmniFileReferences,
  nowMs: number,
  { expiryToleranceMs }: Pick<OmniOptions, 'expiryToleranceMs'>,
): OmniSendRequest {
  const leftMs = validUntil.getTime() - nowMs
  const content = {
    ...withFiles(withOrigin(toContent(given), given.channel, originCid), files),
    ...timeLimit(given, leftMs, expiryToleranceMs),
  }
  const simple = { ...content, to, ref: reference }
  if (getValidator(given.channel).Check(simple))
    return { path: `/v1/send/${given.channel}`, body: JSON.stringify(simple) }
  const destination = { to, ...replaceWords(content) }
  const flow = { destinations: [destination], messageFlow: [{ [given.channel]: content }], ref: reference }
  return { path: '/v1/send/omni', body: JSON.stringify(flow) }
}

type Content = Readonly<Record<string, unknown>>

function toContent(step: Step): Content {
  if (!('text' in step)) return step.content as Content
  const { from, text, originCid } = step
  return { from, text, ...(originCid === undefined ? {} : { originCID: originCid }) }
}

/** Channels whose body has a field for the origin code. */
const withOriginCid: ReadonlySet<ChannelName> = new Set<ChannelName>(['sms', 'mms', 'brandmessage'])

/** Adds the origin code of the account or of the operator if the client set none. */
function withOrigin(content: Content, channel: ChannelName, originCid: string | undefined): Content {
  if (originCid === undefined || content.originCID !== undefined || !withOriginCid.has(channel))
    return content
  return { ...content, originCID: originCid }
}

/** Returns how long the service attempts delivery without a time limit; null for a channel without `ttl` in flows. */
function serviceSeconds(step: Step): number | null {
  if (step.channel === 'rcs') {
    const { expiryOption = defaultExpiryOption } = step.content as { readonly expiryOption?: ExpiryOption }
    return expirySeconds[expiryOption]
  }
  return step.channel === 'sms' || step.channel === 'mms' ? defaultTtlSeconds : null
}

/** Returns the remaining time of the step, if the client set a limit or the service would attempt delivery for longer. */
function timeLimit(step: Step, leftMs: number, toleranceMs: number): { readonly ttl?: string } {
  const service = serviceSeconds(step)
  if (service === null) return {}
  const { ttlSeconds = service } = step
  if (ttlSeconds === service && leftMs >= service * 1_000 - toleranceMs) return {}
  return { ttl: String(Math.max(1, Math.min(ttlSeconds, roundSeconds(leftMs)))) }
}

/**
 * Rounds down to seconds, and long times to tens of seconds, so that a repeat soon after has the same body, and the next owner
 * of the route can reproduce the body of the previous one (`sender.ts`).
 */
function roundSeconds(leftMs: number): number {
  const unit = leftMs < longMs ? 1 : longUnitSeconds
  return Math.floor(leftMs / 1_000 / unit) * unit
}

function withFiles(content: Content, files: OmniFileReferences): Content {
  return files.size === 0 ? content : (mapTexts(content, (text) => replaceFile(text, files)) as Content)
}

function replaceFile(text: string, files: OmniFileReferences): string {
  const whole = files.get(text)
  if (whole !== undefined) return whole
  // An RCS video is its URL, a comma and the thumbnail.
  const comma = text.lastIndexOf(',')
  const thumbnail = comma === -1 ? undefined : files.get(text.slice(comma + 1))
  return thumbnail === undefined ? text : text.slice(0, comma + 1) + thumbnail
}

/** The depth of the content was limited when it was accepted. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change)]))
}

/** Placeholders are already replaced. Remaining ones are text; a flow keeps them by replacing each with itself. */
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

function getValidator(channel: ChannelName): Validator {
  let validator = validators.get(channel)
  if (validator === undefined) validators.set(channel, (validator = Compile(channels[channel].schema)))
  return validator
}
