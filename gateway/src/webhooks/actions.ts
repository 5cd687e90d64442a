/** The operations on webhooks, shared by the API and the command line. A refused operation throws a Problem. */
import { isMsgKey, createMsgKey } from '../contract/msg-key.ts'
import { clock } from '../platform/clock.ts'
import type { Queryable, Transactional } from '../platform/database.ts'
import { inClear, type FieldCipher } from '../platform/encryption/field-cipher.ts'
import { invalidField, Problem } from '../contract/problem.ts'
import type { FormatTime } from '../contract/times.ts'
import type { RecordSettings } from '../records/reports/report-record.ts'
import { sampleBody, withMilliseconds } from './body.ts'
import { readSecrets } from './encrypted-secrets.ts'
import { decryptIfReadable, decryptUrl } from './encrypted-url.ts'
import type { Guard } from './guard.ts'
import { expectedMsgKey, openConnections } from './push.ts'
import { insertWebhook, readWebhooks, replaceSecret, type UrlSetBy, type WebhookView } from './queries.ts'
import { countAll, countFailed, replayAll, replayFailed, replayMessage, replayReply } from './replay.ts'
import { signedHeaders } from './sign.ts'
import type { Try } from './try-log.ts'
import {
  createSecret,
  createWebhookId,
  hostOf,
  invalidWebhookId,
  isSecret,
  isWebhookId,
  pushLifetimeMs,
  webhookDefaults,
  webhooksPerAccount,
  type WebhookEvents,
  type WebhookSettings,
} from './webhook.ts'
import { hideCauseOfTry, isWithoutResponse, waitOutTimeout } from './without-response.ts'

export interface WebhookContext {
  readonly database: Transactional
  readonly guard: Guard
  /** Whether a receiver has to prove that it holds the secret before it gets reports. The command line asks for no proof. */
  readonly requiresProof?: boolean
  /** Asked before a receiver is tested or proved. The command line is not limited. */
  readonly limitUse?: LimitUse
  /** Absent: secrets and URLs are stored in clear. */
  readonly cipher?: FieldCipher
}

/** Throws A020 when an account, or all accounts for a host, did something too often. */
export type LimitUse = (kind: 'account' | 'host' | 'replay', id: number | string) => Promise<void>

type OptionalFields<Type> = { readonly [Key in keyof Type]?: Type[Key] | undefined }

/** Its URL is as it is stored. */
export async function requireWebhook(
  database: Queryable,
  accountId: number,
  id: string,
): Promise<WebhookView> {
  const [webhook] = isWebhookId(id) ? await readWebhooks(database, accountId, id) : []
  if (webhook === undefined) throw invalidWebhookId()
  return webhook
}

/** With its whole URL. */
export async function requireWithUrl(
  { database, cipher = inClear }: Pick<WebhookContext, 'cipher'> & { readonly database: Queryable },
  accountId: number,
  id: string,
): Promise<WebhookView> {
  return decryptUrl(database, cipher, await requireWebhook(database, accountId, id))
}

/** With its whole URL, or with the stored one and its `encryptedUrl` where that cannot be decrypted. */
export async function requireReadable(
  { database, cipher = inClear }: Pick<WebhookContext, 'cipher'> & { readonly database: Queryable },
  accountId: number,
  id: string,
): Promise<WebhookView> {
  return decryptIfReadable(database, cipher, await requireWebhook(database, accountId, id))
}

export async function addWebhook(
  { database, guard, cipher = inClear, requiresProof = false }: WebhookContext,
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
  // The receiver gets the secret first; it is proved when its owner enables the webhook.
  const enabled = settings.enabled && !requiresProof
  const disabledReason = requiresProof ? 'unproved' : 'owner'
  const webhook = { ...settings, ...by, id, accountId, events, secret, enabled, disabledReason } as const
  if (!(await insertWebhook(database, webhook, webhooksPerAccount, cipher)))
    throw new Problem(
      'A852',
      `Too many webhooks: an account can have at most ${webhooksPerAccount}; delete one or change one by PUT`,
    )
  return { ...(await requireWithUrl({ database, cipher }, accountId, id)), secret }
}

/** The account first, so that it uses up nothing of the host's limit, which others share, beyond its own. */
export async function limitPush({ limitUse }: WebhookContext, accountId: number, url: string): Promise<void> {
  await limitUse?.('account', accountId)
  await limitUse?.('host', hostOf(url))
}

export function applyChanges(
  before: WebhookSettings,
  changes: OptionalFields<WebhookSettings>,
): WebhookSettings {
  const { url, name, perSecond, concurrency, timeoutSeconds, acknowledgement, notices, enabled } = before
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return {
    ...{ url, name, perSecond, concurrency, timeoutSeconds, acknowledgement, notices, enabled },
    ...(Object.fromEntries(given) as Partial<WebhookSettings>),
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

/** Pushes a sample report or reply once, whether the webhook is enabled or not. */
export async function testWebhook(...given: Parameters<typeof pushSample>): Promise<Try> {
  return (await pushSample(...given)).entry
}

/** As its owner is answered: without a response neither the cause nor the time that it took is told (`without-response.ts`). */
export async function testAsOwner(...given: Parameters<typeof pushSample>): Promise<Try> {
  const { entry, started, timeoutMs } = await pushSample(...given)
  if (isWithoutResponse(entry)) await waitOutTimeout(started, timeoutMs)
  return hideCauseOfTry(entry, timeoutMs)
}

interface PushedSample {
  readonly entry: Try
  /** When the push began: what came before it, such as a limiter that is slow, does not count. */
  readonly started: number
  /** That of the push; the setting may have changed since it was shown. */
  readonly timeoutMs: number
}

async function pushSample(
  context: WebhookContext,
  account: RecordSettings & { readonly id: number },
  id: string,
  formatTime: FormatTime,
): Promise<PushedSample> {
  const { database, guard, cipher } = context
  const webhook = await requireWithUrl(context, account.id, id)
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
      ...{ url: webhook.url, body, timeoutMs },
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

/** Throws unless exactly one thing is chosen, in its form. */
export function checkReplay({ msgKey, failedSince, allSince }: ReplayChoice): void {
  if ([msgKey, failedSince, allSince].filter((one) => one !== undefined).length !== 1)
    throw new Problem('A854', 'Invalid replay: give exactly one of msgKey, failedSince and allSince')
  const oldest = clock.cutoff(pushLifetimeMs)
  if (failedSince !== undefined) readSince('failedSince', failedSince, oldest)
  if (allSince !== undefined) readSince('allSince', allSince, oldest)
  if (msgKey !== undefined && !isMsgKey(msgKey)) throw nothingToReplay()
}

/** Returns how many reports are pushed again. */
export async function replay(
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
  const again = webhook.events === 'reports' ? replayMessage : replayReply
  const count = await again(database, accountId, id, msgKey!, oldest)
  if (count === 0) throw nothingToReplay()
  return count
}

function nothingToReplay(): Error {
  return invalidField(
    'A854',
    'msgKey',
    'the message has no report of the last 3 days; GET /v1/report/inquiry/{msgKey} returns older ones',
  )
}

/** How many reports `replay` would push again: those that failed since a time, up to `maxCounted`, or all since a time. */
export async function countReplay(
  database: Queryable,
  accountId: number,
  id: string,
  { failedSince, allSince }: Omit<ReplayChoice, 'msgKey'>,
): Promise<number> {
  const webhook = await requireWebhook(database, accountId, id)
  if ((failedSince === undefined) === (allSince === undefined))
    throw new Problem('A854', 'Invalid replay: give exactly one of failedSince and allSince')
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
