/** The settings of the RBM server and their defaults, for the command line and for tests. */
import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface RbmOptions extends HttpCarrierOptions {
  /** Checked when given; otherwise any is accepted. */
  readonly agentId: string | undefined
  /** The service account's address, `iss` of its assertion. */
  readonly clientEmail: string | undefined
  /** `aud` of the assertion: the address of the token endpoint as the client knows it. */
  readonly audience: string | undefined
  /** A PEM text, or the path of a PEM file; without it signatures are not verified. */
  readonly publicKey: string | undefined
  /** 0 when no token is required. */
  readonly tokenTtlMs: number
  readonly webhookUrl: string | undefined
  readonly clientToken: string
  /** What a messageId that was used before is answered with: 200 or 409. In both cases the message is ignored. */
  readonly repeatStatus: number
  /** What the revocation of a message that is delivered or unknown is answered with. */
  readonly lateRevokeStatus: number
  /** Suggestions of a rich card. */
  readonly maxCardSuggestions: number
  /** Accept files that were not uploaded here. */
  readonly anyFile: boolean
  /** Message ids that are ignored the second time. */
  readonly rememberIds: number
}

export const defaults: RbmOptions = {
  ...httpDefaults,
  receiptMaxRetryMs: 600_000,
  agentId: undefined,
  clientEmail: undefined,
  audience: undefined,
  publicKey: undefined,
  tokenTtlMs: 3_600_000,
  webhookUrl: undefined,
  clientToken: 'client-token',
  repeatStatus: 200,
  lateRevokeStatus: 404,
  maxCardSuggestions: 4,
  anyFile: false,
  rememberIds: 100_000,
}
