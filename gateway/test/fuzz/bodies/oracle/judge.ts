/**
 * Checks one accepted body: every limit, and that the durable message is the same. Written from the
 * specification; uses no limit, schema or count of the gateway. Findings contain no content.
 */
import type { AcceptedJob } from '../../../../src/jobs/jobs.ts'
import type { Step } from '../../../../src/channels/channel.ts'
import { hasSameContent } from './canonical.ts'
import { computeExpected, type ExpectedStep } from './expected.ts'
import { Violations, toFields, omitEmpty, isFields, toArray } from './fields.ts'
import { checkAlimtalk, checkBrandmessage, checkFriendtalk } from './kakao.ts'
import { checkFallback, checkInternational, checkMms, checkSms } from './plain.ts'
import { checkRcs } from './rcs.ts'

/** `jobs` are the durable messages of each destination in order, undefined where it was rejected. */
export function checkAcceptedBody(
  channel: string,
  body: unknown,
  jobs: readonly (AcceptedJob | undefined)[],
): readonly string[] {
  const found = new Violations()
  if (!isFields(body)) return ['a body that is not an object was accepted']
  const expected = computeExpected(channel, body)
  if (channel === 'omni') {
    found.count(body['destinations'], 1, 10, 'destinations')
    found.count(body['messageFlow'], 1, 6, 'messageFlow')
    found.within(body['paymentCode'] ?? undefined, 20, 'paymentCode')
    for (const entry of toArray(body['messageFlow'])) {
      const channels = Object.keys(omitEmpty(toFields(entry))).length
      found.expect(channels === 1, `an entry with ${channels} channels`)
    }
  }
  found.expect(expected.length === jobs.length, `${jobs.length} results for ${expected.length} destinations`)
  found.within(body['ref'] ?? undefined, 200, 'ref')
  if (isFields(body['fallback'])) checkFallback(omitEmpty(body['fallback']), found)
  jobs.forEach((job, index) => {
    const message = expected[index]
    if (job === undefined || message === undefined) return
    if (message.steps === null) return found.expect(false, 'a placeholder without a value was accepted')
    const to = toDomestic(message.to)
    found.matches(to, channel === 'international' ? /^\+\d{8,15}$/ : /^\d{8,12}$/, 'to')
    found.expect(job.to === to, 'the durable recipient differs')
    found.expect((job.ref ?? null) === (body['ref'] ?? null), 'the durable ref differs')
    message.steps.forEach((step) => checkStep(step, found, channel !== 'omni'))
    compare(message.steps, job.steps, found)
  })
  return found.found
}

/** Returns a recipient without separators, and a Korean number without its country code. */
function toDomestic(to: unknown): unknown {
  if (typeof to !== 'string') return to
  return to.replaceAll(/[\s().-]/g, '').replace(/^(?:\+820?|82(?=10\d{8}$))/, '0')
}

function checkStep({ channel, content }: ExpectedStep, found: Violations, simple: boolean): void {
  const at = `${channel}.`
  checkCharacters(content, found, at)
  switch (channel) {
    case 'sms':
      return checkSms(content, found, at)
    case 'mms':
      return checkMms(content, found, at)
    case 'international':
      return checkInternational(content, found)
    case 'rcs':
      return checkRcs(content, found, at)
    case 'alimtalk':
      return checkAlimtalk(content, found, at)
    case 'friendtalk':
      return checkFriendtalk(content, found, at, simple)
    case 'brandmessage':
      return checkBrandmessage(content, found, at)
    default:
      found.expect(false, `unknown channel ${channel}`)
  }
}

/** Requires well-formed texts without NUL: PostgreSQL, broker or handsets do not accept others. */
function checkCharacters(value: unknown, found: Violations, at: string): void {
  if (typeof value === 'string')
    found.expect(value.isWellFormed() && !value.includes('\0'), `${at}characters`)
  else if (Array.isArray(value)) value.forEach((item) => checkCharacters(item, found, at))
  else if (isFields(value)) Object.values(value).forEach((item) => checkCharacters(item, found, at))
}

const rcsExpirySeconds: Readonly<Record<string, number>> = { '1': 86_400, '2': 40, '3': 190, '4': 3_600 }

function compare(expected: readonly ExpectedStep[], steps: readonly Step[], found: Violations): void {
  found.expect(expected.length === steps.length, `${steps.length} durable steps, not ${expected.length}`)
  expected.forEach(({ channel, content }, index) => {
    const step = steps[index]
    if (step === undefined) return
    found.expect(step.channel === channel, `step ${index + 1} is durable as ${step.channel}, not ${channel}`)
    const { ttl, ...rest } = content
    const durable =
      'content' in step ? step.content : { from: step.from, text: step.text, originCID: step.originCid }
    found.expect(
      hasSameContent(rest, durable),
      `the durable content of step ${index + 1} (${channel}) differs from what was sent`,
    )
    if (ttl === undefined) return
    const expiry =
      channel === 'rcs' ? rcsExpirySeconds[(content.expiryOption as string | undefined) ?? '1']! : Infinity
    found.expect(
      step.ttlSeconds === Math.min(Number(ttl), expiry),
      `the durable ttl of step ${index + 1} differs`,
    )
    found.within(ttl, 6, 'ttl')
  })
}
