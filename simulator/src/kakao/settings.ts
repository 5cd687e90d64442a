import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface KakaoOptions extends HttpCarrierOptions {
  /** Hub partner key in the path. `undefined` accepts any, as for the two fields below. */
  readonly partnerKey: string | undefined
  readonly senderKey: string | undefined
  readonly templateCode: string | undefined
  /** Path of brand messages below `/v3/{key}/`. The real path is not published. */
  readonly brandPath: string
  /** Results per batch of responseAll. */
  readonly batchSize: number
  /** Maximum time that responseAll waits for a result. */
  readonly longPollMs: number
  /** Returns each polled batch once. Otherwise a batch is returned again until it is completed. */
  readonly forgetBatches: boolean
  readonly throttleStatus: number
  readonly throttleCode: string
  readonly maxImageBytes: number
  /** Accepts images that were not uploaded here. */
  readonly anyImage: boolean
  /** Refuses advertising from 20:50 to 08:00 Korean time with 3022. */
  readonly nightBlock: boolean
  /** Bearer token lifetime; 0 requires only the key in the path. */
  readonly tokenTtlMs: number
  /** Refuses serial numbers that do not begin with a date and a hyphen, with 2006. */
  readonly serialPrefix: boolean
  /** Number of serial numbers kept to refuse duplicates. */
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
