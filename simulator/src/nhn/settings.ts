import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface NhnOptions extends HttpCarrierOptions {
  /** App key in the path. `undefined` accepts any, as for the four fields below. */
  readonly appKey: string | undefined
  readonly secretKey: string | undefined
  readonly sendNo: string | undefined
  readonly senderKey: string | undefined
  readonly templateCode: string | undefined
  /** URL for results and opt-outs. Without it, results can only be looked up. */
  readonly webhookUrl: string | undefined
  readonly webhookSignature: string | undefined
  /** Spells `recipientGroupingKey` in SMS webhooks as in the example of the guide: `recipientGropuingKey`. */
  readonly webhookTypo: boolean
  readonly idempotencyMs: number
}

export const defaults: NhnOptions = {
  ...httpDefaults,
  maxBodyBytes: 6_291_456,
  appKey: undefined,
  secretKey: undefined,
  sendNo: undefined,
  senderKey: undefined,
  templateCode: undefined,
  webhookUrl: undefined,
  webhookSignature: undefined,
  webhookTypo: false,
  idempotencyMs: 600_000,
}
