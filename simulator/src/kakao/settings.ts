/** The settings of the Kakao BizMessage server and their defaults, for the command line and for tests. */
import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface KakaoOptions extends HttpCarrierOptions {
  /** The hub partner key in the path. Checked when given; otherwise any is accepted. */
  readonly partnerKey: string | undefined
  readonly senderKey: string | undefined
  readonly templateCode: string | undefined
  /** Below `/v3/{key}/`. The path of the real service is not published. */
  readonly brandPath: string
  /** Results in one batch of responseAll. */
  readonly batchSize: number
  /** How long responseAll waits for a result. */
  readonly longPollMs: number
  /** Results are gone once polled; otherwise a batch is given again until it is completed. */
  readonly forgetBatches: boolean
  readonly throttleStatus: number
  readonly throttleCode: string
  readonly maxImageBytes: number
  /** Accept images that were not uploaded here. */
  readonly anyImage: boolean
  /** Refuse advertising from 20:50 to 08:00 Korean time with 3022. */
  readonly nightBlock: boolean
  /** Lifetime of a bearer token; 0 when the key in the path is enough. */
  readonly tokenTtlMs: number
  /** Refuse serial numbers that do not begin with a day and a hyphen, with 2006. */
  readonly serialPrefix: boolean
  /** Serial numbers that are refused the second time. */
  readonly rememberSerials: number
}

export const defaults: KakaoOptions = {
  ...httpDefaults,
  maxBodyBytes: 6_291_456,
  partnerKey: undefined,
  senderKey: undefined,
  templateCode: undefined,
  brandPath: 'brandmessage/send',
  batchSize: 100,
  longPollMs: 0,
  forgetBatches: false,
  throttleStatus: 429,
  throttleCode: '9998',
  maxImageBytes: 5_242_880,
  anyImage: false,
  nightBlock: false,
  tokenTtlMs: 0,
  serialPrefix: false,
  rememberSerials: 100_000,
}
