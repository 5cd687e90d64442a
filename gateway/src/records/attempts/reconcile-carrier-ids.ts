/**
 * Assigns the ids of a late answer to the parts of its step. While the answer is missing, a receipt is matched to any open
 * part of the only message it can mean, and that part keeps the receipt's id. When the answer arrives later, the other
 * parts must get the other ids: otherwise the next receipt would match a part that has one, count as repeated, and leave
 * its step open until the deadline. The parts of one step are interchangeable here. Pure.
 */
import { stepId, type StepKey } from '../../jobs/step-key.ts'

export interface PartId extends StepKey {
  readonly part: number
  /** In its canonical form. */
  readonly carrierId: string | null
}

/** `kept`: parts that have a receipt, with the id of that receipt. */
export function reconcileCarrierIds<Row extends PartId>(
  answered: readonly Row[],
  kept: readonly PartId[],
): Row[] {
  const assigned = [...answered]
  const indexOf = new Map(assigned.map((row, index) => [`${stepId(row)}/${row.part}`, index]))
  for (const { carrierId, part, ...key } of kept) {
    if (carrierId === null) continue
    const to = indexOf.get(`${stepId(key)}/${part}`)
    const from = assigned.findIndex((row) => row.carrierId === carrierId && stepId(row) === stepId(key))
    if (to === undefined || from < 0) continue
    const other = assigned[to]!.carrierId
    assigned[to] = { ...assigned[to]!, carrierId }
    if (from !== to) assigned[from] = { ...assigned[from]!, carrierId: other }
  }
  return assigned
}
