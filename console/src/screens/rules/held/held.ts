import type { Item } from '../../../api/queries.ts'

/** A message that waits for a decision, as the admin API lists it. */
export type Held = Item<'listHeld'>
