import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface SensOptions extends HttpCarrierOptions {
  /** `undefined` accepts any value, as for all fields below. */
  readonly accessKey: string | undefined
  readonly secretKey: string | undefined
  readonly smsServiceId: string | undefined
  readonly bizServiceId: string | undefined
  readonly from: string | undefined
  readonly plusFriendId: string | undefined
  readonly templateCode: string | undefined
}

export const defaults: SensOptions = {
  ...httpDefaults,
  maxBodyBytes: 6_291_456,
  accessKey: undefined,
  secretKey: undefined,
  smsServiceId: undefined,
  bizServiceId: undefined,
  from: undefined,
  plusFriendId: undefined,
  templateCode: undefined,
}
