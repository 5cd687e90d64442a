/** The settings of the MMSC and their defaults, for the command line and for tests. */
import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'
import type { DialectName } from './dialect.ts'

export interface Mm7Options extends HttpCarrierOptions {
  readonly dialect: DialectName
  /** Where submissions are posted; by dialect when not given. */
  readonly path: string | undefined
  /** Where delivery reports are posted; without it none is sent. */
  readonly reportUrl: string | undefined
  /** Checked when given; otherwise any is accepted. */
  readonly vaspId: string | undefined
  readonly vasId: string | undefined
  /** X-SKT-BPID or CPID. */
  readonly partnerId: string | undefined
  /** `user:password` of HTTP basic authentication; not asked for when not given. */
  readonly basicAuth: string | undefined
  /** Refuse a submission without the KISA origin code of nine digits; Korean dialects only. */
  readonly requireOrigin: boolean
  /** Largest image; carriers agree on different limits. */
  readonly maxImageBytes: number
  /** What MMStatus of LGU+ says on success: the code 1000, or the word Retrieved. */
  readonly lguSuccess: '1000' | 'Retrieved'
  /** TransactionIDs that KT remembers, to refuse them the second time. */
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
