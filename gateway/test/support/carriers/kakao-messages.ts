/** Kakao submissions for tests, from requests as clients send them, and the options of a route to Kakao. */
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { RichChannelName, Step } from '../../../src/channels/channel.ts'
import { toChannelContent, getOriginCid } from '../../../src/channels/content.ts'
import { Issues } from '../../../src/channels/issues.ts'
import { channels } from '../../../src/channels/registry.ts'
import type { Submission } from '../../../src/carriers/connectors/connector.ts'
import type { KakaoOptions, ResponseMethod } from '../../../src/carriers/connectors/kakao/options.ts'
import { readOptions } from '../../../src/carriers/connectors/registry.ts'
import { submission } from '../smpp/fixtures.ts'

export type KakaoChannel = Extract<RichChannelName, 'alimtalk' | 'friendtalk' | 'brandmessage'>

export const senderKey = 'a'.repeat(40)
export const alimtalk = { senderKey, msgType: 'AT', templateCode: 'T1', text: '안녕하세요' } as const
export const recipient = '01012345678'

/** Validates and converts a body of `POST /v1/send/<channel>` to a submission. */
export function sendSubmission(
  channel: KakaoChannel,
  body: object,
  overrides: Partial<Submission> = {},
): Submission {
  requireSchema(channels[channel].schema, body)
  return requireNoIssues((issues) => {
    const { to, steps } = channels[channel].draft(body, issues)
    return toSubmission(steps[0]!, { to, ...overrides })
  })
}

/** Validates and converts a flow entry to a submission. */
export function flowSubmission(
  channel: KakaoChannel,
  entry: object,
  overrides: Partial<Submission> = {},
): Submission {
  requireSchema(channels[channel].entry!, entry)
  return requireNoIssues((issues) => toSubmission(channels[channel].step(entry, '', issues), overrides))
}

function requireSchema(schema: TSchema, given: object): void {
  const [error] = Value.Errors(schema, given)
  if (error !== undefined) throw new Error(`${error.instancePath}: ${error.message}`)
}

function requireNoIssues(convert: (issues: Issues) => Submission): Submission {
  const issues = new Issues('first')
  const converted = convert(issues)
  if (issues.first !== undefined) throw issues.first
  return converted
}

function toSubmission(given: Step, overrides: Partial<Submission>): Submission {
  return submission({
    given,
    message: toChannelContent(given),
    to: recipient,
    from: '',
    part: null,
    originCid: getOriginCid(given),
    files: channels[given.channel].files(given),
    ...overrides,
  })
}

export function kakaoOptions(overrides: object = {}): KakaoOptions {
  const required = { partnerKey: 'partner-key', channelKey: 'channel' }
  return readOptions('kakao', { ...required, ...overrides }) as unknown as KakaoOptions
}

export const everyResult = (method: ResponseMethod): KakaoOptions['results'] => ({ AT: method, AI: method })
