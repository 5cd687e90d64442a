/** Times of requests as keys of messages begin with them. Pure. */
import { timeDigits } from '../contract/msg-key.ts'
import { wrongField } from '../acts/errors.ts'

/** `name`: of the field. The format of the schema allows times that `Date` cannot read. */
export function keyAt(name: string, given: string): string {
  const at = new Date(given)
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 1970)
    throw wrongField(name, `must be a time such as 2026-11-16T09:00:00Z`)
  return timeDigits(at)
}
