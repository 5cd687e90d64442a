import type { Database } from '../../platform/database/database.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import type { FormLookup } from '../../records/forms/lookup.ts'
import type { DraftCounting } from '../../trust/abuse/draft-counting.ts'

/** Services that the endpoints of batches share. */
export interface BatchContext {
  readonly database: Database
  readonly cell: string
  readonly forms: FormLookup
  readonly openBlindIndex: () => Promise<BlindIndex>
  readonly findReachedCap: DraftCounting['findReachedCap']
  readonly maxLines: number
}
