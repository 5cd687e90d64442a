/** Operations on webhooks, for the API and the commands. Each throws a Problem if it is refused. */
import { isMsgKey, createMsgKey } from '../../contract/msg-key.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable, Transactional } from '../../platform/database/database.ts'
import { plaintextCipher, type FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import type { FormatTime } from '../../contract/times.ts'
import type { RecordSettings } from '../../records/reports/report-record.ts'
import { sampleBody, withMilliseconds } from './body.ts'
import { readSecrets } from './encrypted-secrets.ts'
import { decryptIfReadable, decryptUrl } from './encrypted-url.ts'
import type { Guard } from './guard.ts'
import { expectedMsgKey, openConnections } from './push/push.ts'
import { insertWebhook, readWebhooks, replaceSecret, type UrlSetBy, type WebhookView } from './queries.ts'
import { countAll, countFailed, replayAll, replayFailed, replayMessage, replayReply } from './replay.ts'
import { signedHeaders } from './push/sign.ts'
import type { PushAttempt } from './push/attempt-log.ts'
import {
  createSecret,
  createWebhookId,
  getUrlHost,
  invalidWebhookId,
  isSecret,
  isWebhookId,
  pushLifetimeMs,
  webhookDefaults,
  webhooksPerAccount,
  type WebhookEvents,
  type WebhookSettings,
} from './webhook.ts'
import { redactTryError, isWithoutResponse, padToTimeout } from './push/without-response.ts'

export interface WebhookContext {
  readonly database: Transactional
  readonly guard: Guard
  /**
   * Requires that a receiver proves knowledge of the secret before it gets reports. Set for clients, not for
   * operators.
   */
  readonly requiresProof?: boolean
  /** Called before a receiver is tested or proved, or all is replayed. Set for clients, not for operators. */
  readonly limitUse?: LimitUse
  /** Secrets and URLs are stored in plaintext if undefined. */
  readonly cipher?: FieldCipher
}

/** Throws A020 if an account, or all accounts for a host, exceed the limit. */
export type LimitUse = (kind: 'account' | 'host' | 'replay', id: number | string) => Promise<void>

type OptionalFields<Type> = { readonly [Key in keyof Type]?: Type[Key] | undefined }

/** Returns the webhook with its URL as it is stored. */
export async function requireWebhook(
  database: Queryable,
  accountId: number,
  id: string,
): Promise<WebhookView> {
  const [webhook] = isWebhookId(id) ? await readWebhooks(database, accountId, id) : []
  if (webhook === undefined) throw invalidWebhookId()
  return webhook
}

/** Returns the webhook with its whole URL. */
export async function requireWebhookWithUrl(
  { database, cipher = plaintextCipher }: Pick<WebhookContext, 'cipher'> & { readonly database: Queryable },
  accountId: number,
  id: string,
): Promise<WebhookView> {
  return decryptUrl(database, cipher, await requireWebhook(database, accountId, id))
}

/**
 * Returns the webhook with its whole URL, or with the stored one and its `encryptedUrl` if that cannot be
 * decrypted.
 */
export async function requireWebhookWithUrlIfReadable(
  { database, cipher = plaintextCipher }: Pick<WebhookContext, 'cipher'> & { readonly database: Queryable },
  accountId: number,
  id: string,
): Promise<WebhookView> {
  return decryptIfReadable(database, cipher, await requireWebhook(database, accountId, id))
}

export async function addWebhook(
  { database, guard, cipher = plaintextCipher, requiresProof = false }: WebhookContext,
  accountId: number,
  given: OptionalFields<WebhookSettings> & {
    readonly url: string
    readonly secret?: string | undefined
    readonly events?: WebhookEvents | undefined
  },
  by: UrlSetBy = {},
): Promise<WebhookView & { readonly secret: string }> {
  const { secret = createSecret(), events = 'reports', ...changes } = given
  checkUrl(guard, given.url)
  checkSecret(secret)
  const id = createWebhookId(clock.date())
  const settings = applyChanges({ ...webhookDefaults, url: given.url }, changes)
  // The receiver must get the secret first; it is proved when its owner enables the webhook.
  const enabled = settings.enabled && !requiresProof
  const disabledReason = requiresProof ? 'unproved' : 'owner'
  const webhook = { ...settings, ...by, id, accountId, events, secret, enabled, disabledReason } as const
  if (!(await insertWebhook(database, webhook, webhooksPerAccount, cipher)))
    throw new Problem(
      'A852',
      `Too many webhooks: an account can have at most ${webhooksPerAccount}; delete or change one`,
    )
  return { ...(await requireWebhookWithUrl({ database, cipher }, accountId, id)), secret }
}

/**
 * Consumes the limit of the account first, so a request over it uses up nothing of the host's limit, which
 * others share.
 */
export async function limitPush({ limitUse }: WebhookContext, accountId: number, url: string): Promise<void> {
  await limitUse?.('account', accountId)
  await limitUse?.('host', getUrlHost(url))
}

export function applyChanges(
  before: WebhookSettings,
  changes: OptionalFields<WebhookSettings>,
): WebhookSettings {
  const { url, name, perSecond, concurrency, timeoutSeconds, acknowledgement, notices, enabled } = before
  const definedChanges = Object.entries(changes).filter(([, value]) => value !== undefined)
  return {
    url,
    name,
    perSecond,
    concurrency,
    timeoutSeconds,
    acknowledgement,
    notices,
    enabled,
    ...(Object.fromEntries(definedChanges) as Partial<WebhookSettings>),
  }
}

export async function rotateSecret(
  { database, cipher }: WebhookContext,
  accountId: number,
  id: string,
  given: { readonly secret?: string | undefined; readonly keepPreviousHours?: number | undefined },
): Promise<{ readonly secret: string; readonly previousUntil: Date }> {
  const { secret = createSecret(), keepPreviousHours = 24 } = given
  checkSecret(secret)
  const previousUntil = new Date(clock.now() + keepPreviousHours * 3_600_000)
  const replaced = { secret, previousUntil }
  if (!isWebhookId(id) || !(await replaceSecret(database, { id, accountId }, replaced, cipher)))
    throw invalidWebhookId()
  return { secret, previousUntil }
}

/** Pushes a sample report or reply once, even if the webhook is disabled. */
export async function testWebhook(...given: Parameters<typeof pushSample>): Promise<PushAttempt> {
  return (await pushSample(...given)).entry
}

/**
 * Tests a webhook for its owner: without a response, neither the cause nor the time it took is revealed
 * (`without-response.ts`).
 */
export async function testAsOwner(...given: Parameters<typeof pushSample>): Promise<PushAttempt> {
  const { entry, started, timeoutMs } = await pushSample(...given)
  if (isWithoutResponse(entry)) await padToTimeout(started, timeoutMs)
  return redactTryError(entry, timeoutMs)
}

interface PushedSample {
  readonly entry: PushAttempt
  /** Start of the push, so earlier work such as a slow limiter does not count. */
  readonly started: number
  /** Timeout used for the push; the setting may have changed since. */
  readonly timeoutMs: number
}

async function pushSample(
  context: WebhookContext,
  account: RecordSettings & { readonly id: number },
  id: string,
  formatTime: FormatTime,
): Promise<PushedSample> {
  const { database, guard, cipher } = context
  const webhook = await requireWebhookWithUrl(context, account.id, id)
  await limitPush(context, account.id, webhook.url)
  const secrets = await readSecrets(database, webhook, cipher)
  const now = clock.date()
  const key = createMsgKey('00', now)
  const body = sampleBody(webhook.events, key, now, withMilliseconds(formatTime), account)
  const eventId = `test-${key}`
  const connections = openConnections(guard, 1)
  const timeoutMs = webhook.timeoutSeconds * 1000
  const started = performance.now()
  try {
    const outcome = await connections.push({
      url: webhook.url,
      body,
      timeoutMs,
      headers: { ...signedHeaders(secrets, eventId, body, now) },
      msgKey: expectedMsgKey(webhook.acknowledgement, key),
    })
    const ms = Math.round(performance.now() - started)
    const error = outcome.kind === 'acknowledged' ? '' : outcome.error
    const entry = { at: clock.date().toISOString(), eventId, httpStatus: outcome.httpStatus, ms, error }
    return { entry, started, timeoutMs }
  } finally {
    connections.close()
  }
}

export interface ReplayChoice {
  readonly msgKey?: string | undefined
  readonly failedSince?: string | undefined
  readonly allSince?: string | undefined
}

/** Throws unless exactly one option is given and valid. */
export function checkReplay({ msgKey, failedSince, allSince }: ReplayChoice): void {
  if ([msgKey, failedSince, allSince].filter((option) => option !== undefined).length !== 1)
    throw new Problem('A854', 'Invalid replay: set exactly one of msgKey, failedSince and allSince')
  const oldest = clock.cutoff(pushLifetimeMs)
  if (failedSince !== undefined) readSince('failedSince', failedSince, oldest)
  if (allSince !== undefined) readSince('allSince', allSince, oldest)
  if (msgKey !== undefined && !isMsgKey(msgKey)) throw nothingToReplay()
}

/** Returns the number of reports or replies that are pushed again. */
export async function replayPushes(
  { database }: WebhookContext,
  accountId: number,
  id: string,
  choice: ReplayChoice,
): Promise<number> {
  const webhook = await requireWebhook(database, accountId, id)
  checkReplay(choice)
  const { msgKey, failedSince, allSince } = choice
  const oldest = clock.cutoff(pushLifetimeMs)
  if (failedSince !== undefined)
    return replayFailed(database, id, readSince('failedSince', failedSince, oldest))
  if (allSince !== undefined)
    return replayAll(database, accountId, webhook, readSince('allSince', allSince, oldest))
  const replay = webhook.events === 'reports' ? replayMessage : replayReply
  const count = await replay(database, accountId, id, msgKey!, oldest)
  if (count === 0) throw nothingToReplay()
  return count
}

function nothingToReplay(): Error {
  return invalidField(
    'A854',
    'msgKey',
    'the message has no report or reply of the last 3 days; GET /v1/report/inquiry/{msgKey} returns older reports',
  )
}

/**
 * Returns how many reports or replies `replayPushes` would push again: those that failed since a time, up to
 * `maxCounted`, or all since a time.
 */
export async function countReplay(
  database: Queryable,
  accountId: number,
  id: string,
  { failedSince, allSince }: Omit<ReplayChoice, 'msgKey'>,
): Promise<number> {
  const webhook = await requireWebhook(database, accountId, id)
  if ((failedSince === undefined) === (allSince === undefined))
    throw new Problem('A854', 'Invalid replay: set exactly one of failedSince and allSince')
  const oldest = clock.cutoff(pushLifetimeMs)
  return failedSince === undefined
    ? countAll(database, accountId, webhook, readSince('allSince', allSince!, oldest))
    : countFailed(database, id, readSince('failedSince', failedSince, oldest))
}

function readSince(field: string, text: string, oldest: Date): Date {
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)
  const time = isTime ? Date.parse(text) : NaN
  if (Number.isNaN(time))
    throw invalidField('A854', field, 'must be a time with an offset, such as 2026-11-15T09:00:00+09:00')
  if (time < oldest.getTime()) throw invalidField('A854', field, 'must be at most 3 days ago')
  return new Date(time)
}

export function checkUrl(guard: Guard, url: string): void {
  const refusal = guard.refuseNewUrl(url)
  if (refusal !== null) throw invalidField('A851', 'url', refusal)
}

function checkSecret(secret: string): void {
  if (!isSecret(secret))
    throw invalidField(
      'A853',
      'secret',
      'must be whsec_ followed by 24 to 64 bytes in base64; omit it to have one generated',
    )
}
