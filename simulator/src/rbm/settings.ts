import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface RbmOptions extends HttpCarrierOptions {
  /** Only agent. `undefined` accepts any, as for the two fields below. */
  readonly agentId: string | undefined
  /** Required `iss` of assertions: the service account's email address. */
  readonly clientEmail: string | undefined
  /** Required `aud` of assertions: the URL of the token endpoint as the client knows it. */
  readonly audience: string | undefined
  /** PEM string or path of a PEM file. `undefined` disables the verification of signatures. */
  readonly publicKey: string | undefined
  /** Token lifetime; 0 requires no token. */
  readonly tokenTtlMs: number
  readonly webhookUrl: string | undefined
  readonly clientToken: string
  /** HTTP status for a duplicate messageId: 200 or 409. The message is ignored in both cases. */
  readonly repeatStatus: number
  /** HTTP status for the revocation of a delivered or unknown message. */
  readonly lateRevokeStatus: number
  /** Maximum suggestions per rich card. */
  readonly maxCardSuggestions: number
  /** Accepts files that were not uploaded here. */
  readonly anyFile: boolean
  /** Number of message ids kept to ignore duplicates. */
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
