/**
 * Stores what a recipient told a carrier for every account that it concerns. A reply that changes nothing costs one statement,
 * however many accounts share the sender. Called where opt-outs are stored.
 */
import type { Transactional } from '../../platform/database.ts'
import { choiceBounds } from './bounds.ts'
import { plannedOf, setChoicesOf, type ChoiceChange } from './changes.ts'
import { planChange } from './plan-change.ts'
import { readPresent, type AccountRecipient } from './present.ts'

/** No bound of an account applies to it. */
export type CarrierChange = ChoiceChange & {
  readonly state: 'suppressed' | 'none'
  readonly source: 'reply' | 'carrier'
}

const unbounded = {
  counts: { suppressed: 0, agreed: 0, removals: 0 },
  all: { entries: 0, accounts: 0 },
  bounds: choiceBounds,
}

export async function setChoicesOfAccounts(
  database: Transactional,
  choices: readonly AccountRecipient[],
  change: CarrierChange,
): Promise<void> {
  const present = await readPresent(database, choices, change)
  const recipients = choices.map(({ recipient }) => recipient)
  const { write } = planChange(recipients, plannedOf(change), { present, ...unbounded })
  const changing = new Set(write)
  for (const { accountId, recipient } of choices)
    if (changing.has(recipient)) await setChoicesOf(database, accountId, [recipient], change)
}
