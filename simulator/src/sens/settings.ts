/** Settings of the SENS simulator and their defaults, for the command line and for tests. */
import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface SensOptions extends HttpCarrierOptions {
  /** The names and keys below are checked only if they are set. */
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
