import { randomBytes } from 'node:crypto'
import { randomLetters, timeDigits } from '../../contract/msg-key.ts'
import { Problem } from '../../contract/problem.ts'

export const webhooksPerAccount = 20
/** A report is pushed for as long as polling returns it. */
export const pushLifetimeMs = 3 * 86_400_000

/**
 * With 'status' any 2xx acknowledges a push. With 'msgKey', the rule of the API contract, only 200 with
 * `{"msgKey": "<same>"}` does. Receivers written for the contract satisfy both.
 */
export const acknowledgements = ['status', 'msgKey'] as const
export type Acknowledgement = (typeof acknowledgements)[number]

/**
 * Records that a webhook receives; fixed at creation, because its position counts in the order of one of
 * them.
 */
export const webhookEvents = ['reports', 'replies'] as const
export type WebhookEvents = (typeof webhookEvents)[number]

/**
 * Disabled by its owner or an operator, because it returned 410, because every push failed for too long, or until
 * its receiver is proved.
 */
export const disableReasons = ['owner', 'gone', 'failing', 'unproved'] as const
export type DisableReason = (typeof disableReasons)[number]

export interface WebhookSettings {
  readonly url: string
  readonly name: string
  readonly perSecond: number
  readonly concurrency: number
  readonly timeoutSeconds: number
  readonly acknowledgement: Acknowledgement
  /** Set if it receives a notice when another webhook of the account is disabled. */
  readonly notices: boolean
  readonly enabled: boolean
}

export const webhookDefaults: Omit<WebhookSettings, 'url'> = {
  name: '',
  perSecond: 100,
  concurrency: 10,
  timeoutSeconds: 5,
  acknowledgement: 'status',
  notices: true,
  enabled: true,
}

/** URL of an account for reports or replies, with its settings. */
export interface Webhook extends WebhookSettings {
  readonly id: string
  readonly accountId: number
  readonly events: WebhookEvents
  readonly disabledReason: DisableReason | null
  readonly disabledAt: Date | null
  /** End of the time in which the previous secret signs as well. */
  readonly previousUntil: Date | null
  readonly createdAt: Date
}

/** Secrets of a webhook, separate from it because only the signer reads them. */
export interface WebhookSecrets {
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousUntil: Date | null
}

/** Returns the host of a URL for rate limits, without port and final dot. */
export function getUrlHost(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '')
}

/** Returns the origin, such as `https://shop.example`, because a path or query may hold a token. */
export function getUrlOrigin(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

/**
 * Returns the origin and an ellipsis, such as `https://shop.example/…`; a URL without a path stays as it is.
 */
export function maskedUrl(url: string): string {
  const origin = getUrlOrigin(url)
  return url.replace(/\/$/, '') === origin ? url : `${origin}/…`
}

/** Returns an id of the UTC time, the letter W, and 72 random bits. */
export function createWebhookId(now: Date): string {
  return `${timeDigits(now)}W${randomLetters(14)}`
}

export function isWebhookId(candidate: string): boolean {
  return /^\d{17}W[0-9A-Z]{14}$/.test(candidate)
}

export function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Reports whether the secret is valid for Standard Webhooks: 24 to 64 bytes in base64. */
export function isSecret(candidate: string): boolean {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(candidate)?.[1]
  if (base64 === undefined || base64.length % 4 !== 0) return false
  const bytes = Buffer.from(base64, 'base64').length
  return bytes >= 24 && bytes <= 64
}

/** Returns the same error for every reason, so it does not reveal whether another account has the webhook. */
export function invalidWebhookId(): Problem {
  return new Problem(
    'A850',
    "Invalid 'webhookId': the account has no such webhook; GET /v1/webhook lists them",
  )
}
