/**
 * Gives the ids of a late answer to the parts of its step. While an answer is missing, a receipt is given to any open
 * part of the only message it can mean, and that part keeps the receipt's id. When the answer comes after all, the
 * other parts must have the other ids: otherwise the next receipt would find a part that has one, count as repeated,
 * and leave its step waiting until the deadline. Parts of one step are alike in all that matters here. Pure.
 */
import { stepId, type StepKey } from '../../jobs/step-key.ts'

export interface PartId extends StepKey {
  readonly part: number
  /** In its canonical form. */
  readonly carrierId: string | null
}

/** `kept`: parts that have a receipt, with the id it came with. */
export function reconcileCarrierIds<Row extends PartId>(
  answered: readonly Row[],
  kept: readonly PartId[],
): Row[] {
  const dealt = [...answered]
  const placeOf = new Map(dealt.map((row, place) => [`${stepId(row)}/${row.part}`, place]))
  for (const { carrierId, part, ...key } of kept) {
    if (carrierId === null) continue
    const to = placeOf.get(`${stepId(key)}/${part}`)
    const from = dealt.findIndex((row) => row.carrierId === carrierId && stepId(row) === stepId(key))
    if (to === undefined || from < 0) continue
    const other = dealt[to]!.carrierId
    dealt[to] = { ...dealt[to]!, carrierId }
    if (from !== to) dealt[from] = { ...dealt[from]!, carrierId: other }
  }
  return dealt
}
