import { timeDigits } from '../contract/msg-key.ts'
import { wrongField } from './errors.ts'

/**
 * Returns the prefix of all msgKeys created at the given time. `name` is the field for the error: its schema allows
 * times that `Date` cannot parse, and years before 1970, which no msgKey has.
 */
export function toKeyPrefix(name: string, given: string): string {
  const at = new Date(given)
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 1970)
    throw wrongField(name, `must be a time such as 2026-11-16T09:00:00Z`)
  return timeDigits(at)
}
