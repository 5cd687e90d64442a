import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface SolapiOptions extends HttpCarrierOptions {
  readonly apiKey: string
  readonly apiSecret: string
  /** Only registered sender number. `undefined` accepts any. */
  readonly sender: string | undefined
  /** URL for reports. `undefined` sends none: results can only be listed. */
  readonly webhookUrl: string | undefined
  readonly webhookSecret: string
  /** HTTP status of a throttled request. SOLAPI does not publish one. */
  readonly throttleStatus: number
}

export const defaults: SolapiOptions = {
  ...httpDefaults,
  maxBodyBytes: 8_388_608,
  receiptTries: 5,
  apiKey: 'trial',
  apiSecret: 'trial-secret',
  sender: undefined,
  webhookUrl: undefined,
  webhookSecret: 'trial-webhook',
  throttleStatus: 429,
}
