/**
 * `postern route try`: prints the exact request of a message over a route, with masked secrets, and sends it
 * only with --send.
 */
import type { Step } from '../../channels/channel.ts'
import { toChannelContent, getOriginCid } from '../../channels/content.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { isAdvertisement } from '../../channels/advertisement.ts'
import { normalizeText } from '../../channels/text/normalize.ts'
import type { ConnectorContext, Submission, SubmitOutcome } from '../../carriers/connectors/connector.ts'
import { toReference } from '../../carriers/connectors/reference.ts'
import { createConnector, previewRequest } from '../../carriers/connectors/registry.ts'
import { withRouteSender } from '../../carriers/connectors/senders.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { clock } from '../../platform/time/clock.ts'
import { settleOrTimeout } from '../../platform/time/settle-or-timeout.ts'
import { loadRoutes } from '../../carriers/routes/queries.ts'
import type { Route } from '../../carriers/routes/route.ts'
import { noSuchRoute } from '../../operations/routes/changes.ts'
import { withSecrets } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { RouteSecretSetting } from '../setting-lists.ts'

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
        ? ['Nothing was sent. --send sends it, bypassing the rate limit and the queues of the route.']
        : describe(outcome)),
    ],
    failed: outcome !== null && outcome.kind !== 'accepted',
  }
}

async function findRoute(database: Queryable, cipher: FieldCipher, id: string): Promise<Route> {
  const found = (await loadRoutes(database, cipher)).find((candidate) => candidate.id === id)
  if (found === undefined) throw noSuchRoute(id)
  return found
}

function toSubmission({ channels, options }: Route, given: TryOptions): Submission {
  const { to } = given
  const step = withRouteSender({ content: toStep(channels, given), to }, options).content
  const { from } = 'text' in step ? step : given
  const msgKey = createMsgKey('00', clock.date())
  return {
    reference: toReference({ msgKey, step: 1, try: 1, part: 1 }),
    from,
    to,
    part: null,
    message: toChannelContent(step),
    given: step,
    originCid: getOriginCid(step),
    isAdvertisement: isAdvertisement(step),
    files: [],
    ttlSeconds: step.ttlSeconds,
    validUntil: new Date(clock.now() + validMs),
  }
}

/**
 * Returns a step for the first of these that the route carries: a text, an LMS, an RCS message of the format SS000000,
 * an alimtalk, or a text of another Kakao channel.
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
  if (senderKey === undefined) throw new UsageError('--sender-key is required for Kakao')
  if (channel !== 'alimtalk')
    return { channel, content: { senderKey, msgType: 'FT', text, sendType: 'free' } }
  if (templateCode === undefined) throw new UsageError('--template is required for alimtalk')
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
    `route ${id} uses the protocol ${protocol}, whose requests cannot be shown. \`postern route list\` shows the health of the route; to test it, send a message through the API and inspect it with \`postern message show\``,
  )
}

/** Submits once. The gateway receives the receipt, finds no message and counts it as unmatched. */
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
    // Protocols with a login have no link yet; if the login takes too long, the outcome shows it.
    await settleOrTimeout(maxLoginMs, linked.promise)
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
