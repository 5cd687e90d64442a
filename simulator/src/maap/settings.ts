/** The settings of the MaaP server and their defaults, for the command line and for tests. */
import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export const mnos = ['SKT', 'KT', 'LGU'] as const
export type Mno = (typeof mnos)[number]

export const carriers = ['skt', 'kt', 'lgu', 'kt-relay'] as const
export type Carrier = (typeof carriers)[number]

export interface MaapOptions extends HttpCarrierOptions {
  /** One of the three carriers, or the relay of KT, which reaches all three. */
  readonly carrier: Carrier
  /** Where the paths begin; `/ag/1.2`, for the relay `/corp/v1`. */
  readonly basePath: string | undefined
  /** Each of these is checked when given; otherwise any is accepted. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly chatbotId: string | undefined
  readonly agencyKey: string | undefined
  readonly brandKey: string | undefined
  readonly templateId: string | undefined
  /** 0 when no token is required. */
  readonly tokenTtlMs: number
  readonly statusUrl: string | undefined
  readonly replyUrl: string | undefined
  /** Appends the carrier's name to the status URL too, as carriers do with the reply URL. */
  readonly appendCarrier: boolean
  /** Errors are answered with HTTP 200; otherwise with the HTTP status that the body names. */
  readonly always200: boolean
  /** How another carrier's subscriber is refused. */
  readonly missBy: 'answer' | 'status'
  readonly maxFileBytes: number
  readonly fileTtlMs: number
  /** Accept files that were not registered here. */
  readonly anyFile: boolean
  readonly replyTtlMs: number
  /** Statuses in one answer of the relay's querymsgstatus. */
  readonly batchSize: number
  /** Message ids that are refused the second time. */
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

/** `2026-11-15T13:04:27.123+09`, Korean time with the zone as carriers write it. */
export function koreanTime(at = Date.now()): string {
  return new Date(at + 9 * 3_600_000).toISOString().replace('Z', '+09')
}
