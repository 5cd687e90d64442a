import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'
import type { DialectName } from './dialect.ts'

export interface Mm7Options extends HttpCarrierOptions {
  readonly dialect: DialectName
  /** Path of submissions. `undefined` selects the path of the dialect. */
  readonly path: string | undefined
  /** URL for delivery reports. `undefined` sends none. */
  readonly reportUrl: string | undefined
  /** Required VASPID. `undefined` accepts any, as for the two fields below. */
  readonly vaspId: string | undefined
  readonly vasId: string | undefined
  /** Required X-SKT-BPID or CPID. */
  readonly partnerId: string | undefined
  /** `user:password` of HTTP basic authentication. `undefined` requires none. */
  readonly basicAuth: string | undefined
  /** Refuses submissions without the KISA origin code of nine digits, in Korean dialects. */
  readonly requireOrigin: boolean
  /** Maximum image size, which differs between carriers. */
  readonly maxImageBytes: number
  /** MMStatus of LGU+ on success. */
  readonly lguSuccess: '1000' | 'Retrieved'
  /** Number of TransactionIDs kept to refuse duplicates (KT). */
  readonly rememberTransactions: number
}

export const defaults: Mm7Options = {
  ...httpDefaults,
  dialect: '3gpp',
  path: undefined,
  reportUrl: undefined,
  vaspId: undefined,
  vasId: undefined,
  partnerId: undefined,
  basicAuth: undefined,
  requireOrigin: false,
  maxImageBytes: 307_200,
  lguSuccess: '1000',
  rememberTransactions: 100_000,
}
