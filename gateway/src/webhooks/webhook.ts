/** A webhook as everything here knows it: an account's URL for reports, its settings, its id and its bounds. */
import { randomBytes } from 'node:crypto'
import { randomLetters, timeDigits } from '../contract/msg-key.ts'
import { Problem } from '../contract/problem.ts'

export const webhooksPerAccount = 20
/** A report is pushed for as long as polling would give it out. */
export const pushLifetimeMs = 3 * 86_400_000

/**
 * 'msgKey' is the contract: 200 with `{"msgKey": "<same>"}` and nothing else. 'status' is for receivers made for
 * Standard Webhooks: any 2xx.
 */
export const acknowledgements = ['msgKey', 'status'] as const
export type Acknowledgement = (typeof acknowledgements)[number]

/** Who or what disabled it: its owner, its own answer 410, or nothing but failures for too long. */
export type DisabledWhy = 'owner' | 'gone' | 'failing'

export interface WebhookSettings {
  readonly url: string
  readonly name: string
  readonly perSecond: number
  readonly concurrency: number
  readonly timeoutSeconds: number
  readonly acknowledgement: Acknowledgement
  /** It is told when another webhook of the account was disabled. */
  readonly notices: boolean
  readonly enabled: boolean
}

export const webhookDefaults: Omit<WebhookSettings, 'url'> = {
  name: '',
  perSecond: 100,
  concurrency: 10,
  timeoutSeconds: 5,
  acknowledgement: 'msgKey',
  notices: true,
  enabled: true,
}

export interface Webhook extends WebhookSettings {
  readonly id: string
  readonly accountId: number
  readonly disabledWhy: DisabledWhy | null
  readonly disabledAt: Date | null
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousUntil: Date | null
  readonly createdAt: Date
}

/** The UTC time, a mark, and 72 bits from the system's random source. */
export function createWebhookId(now: Date): string {
  return `${timeDigits(now)}W${randomLetters(14)}`
}

export function isWebhookId(candidate: string): boolean {
  return /^\d{17}W[0-9A-Z]{14}$/.test(candidate)
}

export function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** As Standard Webhooks wants it: 24 to 64 bytes in base64. */
export function isSecret(candidate: string): boolean {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(candidate)?.[1]
  if (base64 === undefined || base64.length % 4 !== 0) return false
  const bytes = Buffer.from(base64, 'base64').length
  return bytes >= 24 && bytes <= 64
}

/** The same words for every reason: whether another account has such a webhook is not told. */
export function invalidWebhookId(): Problem {
  return new Problem(
    'A850',
    "Invalid 'webhookId': the account has no such webhook; GET /v1/webhook lists them",
  )
}
