/** A recipient that was looked up. */
import type { Data } from '../../../api/call.ts'

export interface Found {
  readonly account: string | undefined
  readonly known: Data<'showSuppression'>
}
