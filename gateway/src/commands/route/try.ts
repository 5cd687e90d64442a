/** `postern route try`: the exact request of a message over a route, with secrets masked. Sends it only when asked to. */
import type { Step } from '../../channels/channel.ts'
import { contentOf, originCidOf } from '../../channels/content.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { isAdvertisement } from '../../channels/advertisement.ts'
import { normalizeText } from '../../channels/text/normalize.ts'
import type { ConnectorContext, Submission, SubmitOutcome } from '../../connectors/connector.ts'
import { toReference } from '../../connectors/reference.ts'
import { createConnector, previewRequest } from '../../connectors/registry.ts'
import { withRouteSender } from '../../connectors/senders.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { clock } from '../../platform/clock.ts'
import { settlesWithin } from '../../platform/settles-within.ts'
import type { Route } from '../../routes/route.ts'
import { withSecrets } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { RouteSecretSetting } from '../setting-lists.ts'
import { findRoute } from './find-route.ts'

export interface TryOptions {
  readonly to: string
  readonly text: string
  readonly from: string
  readonly senderKey?: string
  readonly brandKey?: string
  readonly template?: string
  readonly send?: boolean
}

const validMs = 3_600_000
const maxLoginMs = 10_000

export async function tryRoute(
  invocation: Invocation<RouteSecretSetting>,
  id: string,
  given: TryOptions,
): Promise<Result> {
  const { request, outcome } = await withSecrets(invocation, async (database, _config, cipher, audit) => {
    const route = await findRoute(database, cipher, id)
    const submission = toSubmission(route, given)
    const request = preview(route, submission)
    if (given.send !== true) {
      audit.unchanged()
      return { request, outcome: null }
    }
    const subject = { target: id, details: { to: maskNumber(given.to) } }
    const outcome = await audit.around(
      subject,
      () => send(route, submission),
      ({ kind }) => ({ outcome: kind }),
    )
    return { request, outcome }
  })
  const body = request.body === null ? [] : ['', request.body]
  return {
    json: { id, request, sent: outcome !== null, outcome },
    lines: [
      `${request.method} ${request.url}`,
      ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
      ...body,
      '',
      ...(outcome === null
        ? ['Nothing was sent. --send sends it, outside of the pace and the queues of the route.']
        : describe(outcome)),
    ],
    failed: outcome !== null && outcome.kind !== 'accepted',
  }
}

function toSubmission({ channels, options }: Route, given: TryOptions): Submission {
  const { to } = given
  const step = withRouteSender({ content: toStep(channels, given), to }, options).content
  const { from } = 'text' in step ? step : given
  const msgKey = createMsgKey('00', clock.date())
  return {
    reference: toReference({ msgKey, step: 1, try: 1, part: 1 }),
    ...{ from, to, part: null, message: contentOf(step), given: step },
    ...{ originCid: originCidOf(step), isAdvertisement: isAdvertisement(step) },
    ...{ files: [], ttlSeconds: step.ttlSeconds },
    validUntil: new Date(clock.now() + validMs),
  }
}

/**
 * A route for texts sends a text; one for LMS and MMS an LMS; one for RCS only a message of the format SS000000; one for
 * Kakao an alimtalk, or without one a text of its other channels.
 */
function toStep(channels: Route['channels'], given: TryOptions): Step {
  const { to, from, text } = given
  const isForTexts = channels.includes('sms') || channels.includes('international')
  if (!isForTexts && channels.includes('mms')) return { channel: 'mms', content: { from, text } }
  if (!isForTexts && channels.includes('rcs')) return { channel: 'rcs', content: toRcs(given) }
  const kakao = kakaoChannels.find((channel) => channels.includes(channel))
  if (!isForTexts && kakao !== undefined) return toKakaoStep(kakao, given)
  return { channel: to.startsWith('+') ? 'international' : 'sms', from, text: normalizeText(text) }
}

function toRcs({ from, text, brandKey }: TryOptions): object {
  const brand = brandKey === undefined ? {} : { brandKey }
  return { from, formatId: 'SS000000', ...brand, content: { standalone: { text } } }
}

const kakaoChannels = ['alimtalk', 'friendtalk', 'brandmessage'] as const

function toKakaoStep(
  channel: (typeof kakaoChannels)[number],
  { text, senderKey, template: templateCode }: TryOptions,
): Step {
  if (senderKey === undefined) throw new UsageError('a message over Kakao needs --sender-key')
  if (channel !== 'alimtalk')
    return { channel, content: { senderKey, msgType: 'FT', text, sendType: 'free' } }
  if (templateCode === undefined) throw new UsageError('an alimtalk needs --template')
  return { channel, content: { senderKey, msgType: 'AT', templateCode, text } }
}

function preview(
  { id, protocol, options }: Route,
  submission: Submission,
): NonNullable<ReturnType<typeof previewRequest>> {
  let request: ReturnType<typeof previewRequest>
  try {
    request = previewRequest(protocol, options, submission)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  if (request !== undefined) return request
  throw new FailedError(
    `route ${id} has the protocol ${protocol}, whose requests cannot be shown. \`postern route list\` shows whether the route is healthy; to try it, send a message through the API and look at it with \`postern message show\``,
  )
}

/** The receipt comes to the API and finds no message: it is counted as unmatched. */
async function send({ protocol, options }: Route, submission: Submission): Promise<SubmitOutcome> {
  const linked = Promise.withResolvers<undefined>()
  const context: ConnectorContext = {
    onReceipt: () => Promise.resolve(),
    onLink: (up) => {
      if (up) linked.resolve(undefined)
    },
    onEvent: () => undefined,
    openFile: () => Promise.resolve(null),
    isFirstOwner: false,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  }
  const connector = createConnector(protocol, options, context)
  connector.start()
  try {
    // Protocols with a login have no link yet; without one in time the outcome says so.
    await settlesWithin(maxLoginMs, linked.promise)
    return await connector.submit(submission)
  } finally {
    await connector.stop()
  }
}

function describe(outcome: SubmitOutcome): string[] {
  if (outcome.kind === 'accepted') return [`accepted: ${outcome.carrierId}`]
  if (outcome.kind === 'throttled') return [`throttled: ${outcome.code}, for ${outcome.retryAfterMs} ms`]
  const cause = outcome.kind === 'refused' ? ` (${outcome.cause})` : ''
  return [`${outcome.kind}${cause}: ${outcome.code} ${outcome.text}`.trimEnd()]
}
