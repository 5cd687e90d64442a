/**
 * Finds senders by their numbers, and bounds guesses of mobile numbers, of which operators without the right `reveal` see only the last digits. Looking up or registering all
 * numbers with these digits would show which one is registered. So a lookup of a number that is not registered counts as a guess, and so does
 * a new number that ends like a registered one of its account. A registered number does not count: a file can be imported again. A client
 * registers numbers of its own account, of which few wait for approval at a time.
 */
import { Type, type Static } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { OperationError } from '../../acts/errors.ts'
import { recordRefusal } from '../../acts/rights.ts'
import { hasRight } from '../../operators/rights.ts'
import {
  endingOf,
  findSender,
  findSendersEndingLike,
  type ListedSender,
  type SenderKey,
} from '../../trust/senders/queries.ts'
import { isMasked, plainValue } from '../../trust/senders/sender.ts'
import { maxMisses, NumberGuesses } from '../number-guesses.ts'
import type { RequestContext } from '../operation.ts'
import { requireSender, senderId, senderKind, senderValue } from './sender-fields.ts'

type Context = Pick<RequestContext, 'database' | 'audit' | 'signed'>

/** Shared by all operations: lookups and registrations count together. */
const guesses = new NumberGuesses()

/** How requests name a sender. Lists show only the last digits of a mobile number, so a sender of a list is named by its id. */
export const senderName = {
  id: Type.Optional(senderId),
  kind: senderKind,
  value: Type.Optional(senderValue),
}
const SenderName = Type.Object(senderName)

export interface SenderLookup {
  readonly key: SenderKey
  /** `null` if the sender is not registered. */
  readonly found: ListedSender | null
}

export async function lookUpSender(
  account: string,
  { id, kind = 'number', value }: Static<typeof SenderName>,
  context: Context,
): Promise<SenderLookup> {
  const accountId = await requireAccountId(context.database, account)
  if (id !== undefined) {
    const found = await requireSender(context.database, accountId, { clientId: account, senderId: id })
    return { key: { accountId, kind: found.kind, value: found.value }, found }
  }
  if (value === undefined) throw new OperationError('invalid-request', "'value' or 'id' must be given")
  const key = { accountId, kind, value: plainValue(kind, value) }
  return { key, found: await findByValue(key, context) }
}

/** By a mobile number a sender is found by those who manage senders. Others show it by its id. */
async function findByValue(
  key: SenderKey,
  { database, audit, signed }: Context,
): Promise<ListedSender | null> {
  if (!isMasked(key.kind, key.value)) return findSender(database, key)
  guesses.require(signed.name)
  // A refusal counts as well, because each is a row of the audit log.
  if (!hasRight(signed.role, 'senders')) guesses.miss(signed.name)
  await audit.requireRight('senders')
  const found = await findSender(database, key)
  if (found === null) guesses.miss(signed.name)
  return found
}

/** Returns the error for a sender that is not registered. The lookup of a mobile number is recorded. */
export async function refuseUnregistered(
  action: string,
  account: string,
  { kind, value }: SenderKey,
  { database, audit }: Context,
): Promise<OperationError> {
  if (isMasked(kind, value))
    await recordRefusal(database, action, audit.act, `${kind} that is not registered`, { account })
  return new OperationError('not-found', `${kind} '${value}' is not registered for account '${account}'`, {
    facts: { resource: 'sender', id: value, account },
  })
}

/** For the descriptions of operations that register senders. */
export const guessesAreBounded = `For operators without the right _reveal_, ${maxMisses} new mobile numbers a minute may end like a registered one of their account; a request with more is refused, and no mobile number is registered for the rest of it.`

/** Called before senders are registered. */
export async function requireNoGuesses(
  action: string,
  keys: readonly SenderKey[],
  { database, audit, signed }: Context,
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
