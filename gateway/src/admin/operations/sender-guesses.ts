/**
 * Guesses of mobile numbers, of which operators without the right `reveal` see the last digits: who registers all numbers with these learns
 * from the answers, or from the list, which was registered before. So new numbers that end like a registered one of their account
 * count as guesses. Those that are registered do not: a file can be imported again, and only a number that is known hits one alone.
 * A client registers numbers of its own account, and few of them wait at a time.
 */
import { recordRefusal } from '../../acts/rights.ts'
import { hasRight } from '../../operators/rights.ts'
import { endingOf, findSendersEndingLike, type SenderKey } from '../../trust/senders/queries.ts'
import { isMasked } from '../../trust/senders/sender.ts'
import { maxMisses, NumberGuesses } from '../number-guesses.ts'
import type { RequestContext } from '../operation.ts'

/** Of all operations: numbers that are asked for and numbers that are registered count together. */
export const guesses = new NumberGuesses()

/** For the descriptions of operations that register senders. */
export const guessesAreBounded = `For operators without the right _reveal_, ${maxMisses} new mobile numbers a minute may end like a registered one of their account; a request with more is refused, and no mobile number is registered for the rest of it.`

/** Before they are registered. */
export async function requireNoGuesses(
  action: string,
  keys: readonly SenderKey[],
  { database, audit, signed }: Pick<RequestContext, 'database' | 'audit' | 'signed'>,
): Promise<void> {
  if (signed.account !== null || hasRight(signed.role, 'reveal')) return
  const masked = keys.filter(({ kind, value }) => isMasked(kind, value))
  if (masked.length === 0) return
  guesses.requireForNew(signed.name)
  const registered = (await findSendersEndingLike(database, masked)).filter(({ kind, value }) =>
    isMasked(kind, value),
  )
  const whole = new Set(registered.map((key) => nameOf(key, key.value)))
  const endings = new Set(registered.map((key) => nameOf(key, endingOf(key.value))))
  const alike = masked.filter(
    (key) => !whole.has(nameOf(key, key.value)) && endings.has(nameOf(key, endingOf(key.value))),
  )
  if (guesses.missEach(signed.name, alike.length)) return
  // Once: those that follow within the minute are refused before.
  await recordRefusal(database, action, audit.act, 'mobile numbers that end like registered ones', {
    numbers: alike.length,
  })
  guesses.requireForNew(signed.name)
}

const nameOf = ({ accountId, kind }: SenderKey, value: string): string => `${accountId}/${kind}/${value}`
