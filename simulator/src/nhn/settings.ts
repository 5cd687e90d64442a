/** Settings of the NHN Cloud simulator and their defaults, for the command line and for tests. */
import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface NhnOptions extends HttpCarrierOptions {
  /** The app key in the path and the other names below are checked only if they are set. */
  readonly appKey: string | undefined
  readonly secretKey: string | undefined
  readonly sendNo: string | undefined
  readonly senderKey: string | undefined
  readonly templateCode: string | undefined
  /** Results and opt-outs are posted there; without it they are only looked up. */
  readonly webhookUrl: string | undefined
  readonly webhookSignature: string | undefined
  /** Spells `recipientGroupingKey` of SMS webhooks as the example of the document does: `recipientGropuingKey`. */
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
