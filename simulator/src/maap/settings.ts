import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export const mnos = ['SKT', 'KT', 'LGU'] as const
export type Mno = (typeof mnos)[number]

export const maapCarriers = ['skt', 'kt', 'lgu', 'kt-relay'] as const
export type Carrier = (typeof maapCarriers)[number]

export interface MaapOptions extends HttpCarrierOptions {
  /** One of the three carriers, or the KT relay, which reaches all three. */
  readonly carrier: Carrier
  /** Path prefix. Defaults to `/ag/1.2`, or `/corp/v1` for the relay. */
  readonly basePath: string | undefined
  /** Expected value. `undefined` accepts any, as for the five fields below. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly chatbotId: string | undefined
  readonly agencyKey: string | undefined
  readonly brandKey: string | undefined
  readonly templateId: string | undefined
  /** Token lifetime; 0 requires no token. */
  readonly tokenTtlMs: number
  readonly statusUrl: string | undefined
  readonly replyUrl: string | undefined
  /** Appends the carrier's name to the status URL, as carriers do with the reply URL. */
  readonly appendCarrier: boolean
  /** Returns errors with HTTP 200 instead of the status in the body. */
  readonly always200: boolean
  /** Whether the response or a status refuses another carrier's subscriber. */
  readonly missBy: 'answer' | 'status'
  readonly maxFileBytes: number
  readonly fileTtlMs: number
  /** Accepts files that were not registered here. */
  readonly anyFile: boolean
  readonly replyTtlMs: number
  /** Statuses per response of the relay's querymsgstatus. */
  readonly batchSize: number
  /** Number of message ids kept to refuse duplicates. */
  readonly rememberIds: number
}

export const defaults: MaapOptions = {
  ...httpDefaults,
  carrier: 'skt',
  basePath: undefined,
  clientId: undefined,
  clientSecret: undefined,
  chatbotId: undefined,
  agencyKey: undefined,
  brandKey: undefined,
  templateId: undefined,
  tokenTtlMs: 6_000_000,
  statusUrl: undefined,
  replyUrl: undefined,
  appendCarrier: false,
  always200: false,
  missBy: 'answer',
  maxFileBytes: 1_048_576,
  fileTtlMs: 365 * 86_400_000,
  anyFile: false,
  replyTtlMs: 86_400_000,
  batchSize: 100,
  rememberIds: 100_000,
}

/** Returns `2026-11-15T13:04:27.123+09`: Korean time with the zone in the carriers' notation. */
export function maapTime(at = Date.now()): string {
  return new Date(at + 9 * 3_600_000).toISOString().replace('Z', '+09')
}
