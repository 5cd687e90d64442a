/**
 * Finds senders by number, and limits guesses of mobile numbers. Operators without the right `reveal` see only
 * the last digits of a mobile number, and would find the registered one by looking up or registering all
 * numbers with these digits.
 *
 * Two kinds of request count as a guess:
 * - the lookup of a number that is not registered, or by an operator without the right `senders`
 * - the registration of a new number that ends like a registered one of its account
 *
 * Registering a registered number again does not count, so a file can be imported again. Clients are not limited here: they register
 * numbers of their own account, of which few can wait for approval at a time.
 */
import { Type, type Static } from 'typebox'
import { requireAccountId } from '../find-account.ts'
import { OperationError } from '../errors.ts'
import { recordRefusal } from '../rights.ts'
import { hasRight } from '../../identity/operators/rights.ts'
import {
  getUnmaskedDigits,
  findSender,
  findSendersEndingLike,
  type SenderEntry,
  type SenderIdentity,
} from '../../trust/senders/queries.ts'
import { isSenderMasked, normalizeSenderValue } from '../../trust/senders/sender.ts'
import { maxMisses, EnumerationGuard } from '../enumeration-guard.ts'
import type { RequestContext } from '../operation.ts'
import { requireSender, senderId, senderKind, senderValue } from './fields.ts'

type Context = Pick<RequestContext, 'database' | 'audit' | 'signed'>

/** Shared by all operations, so that lookups and registrations count together. */
const guesses = new EnumerationGuard()

/**
 * Identifies a sender in a request. Lists show only the last digits of a mobile number, so a sender of a list
 * is identified by its ID.
 */
export const senderLookupFields = {
  id: Type.Optional(senderId),
  kind: senderKind,
  value: Type.Optional(senderValue),
}
const SenderLookupFields = Type.Object(senderLookupFields)

export interface SenderLookup {
  readonly key: SenderIdentity
  /** `null` if the sender is not registered. */
  readonly found: SenderEntry | null
}

export async function lookUpSender(
  account: string,
  { id, kind = 'number', value }: Static<typeof SenderLookupFields>,
  context: Context,
): Promise<SenderLookup> {
  const accountId = await requireAccountId(context.database, account)
  if (id !== undefined) {
    const found = await requireSender(context.database, accountId, { clientId: account, senderId: id })
    return { key: { accountId, kind: found.kind, value: found.value }, found }
  }
  if (value === undefined) throw new OperationError('invalid-request', "'value' or 'id' is required")
  const key = { accountId, kind, value: normalizeSenderValue(kind, value) }
  return { key, found: await findByValue(key, context) }
}

/** Only operators who manage senders can look up a mobile number. Others show the sender by its ID. */
async function findByValue(
  key: SenderIdentity,
  { database, audit, signed }: Context,
): Promise<SenderEntry | null> {
  if (!isSenderMasked(key.kind, key.value)) return findSender(database, key)
  guesses.require(signed.name)
  // A refusal also counts as a guess, because it adds an audit row.
  if (!hasRight(signed.role, 'senders')) guesses.miss(signed.name)
  await audit.requireRight('senders')
  const found = await findSender(database, key)
  if (found === null) guesses.miss(signed.name)
  return found
}

/** Returns the error for an unregistered sender. The lookup of a mobile number is recorded. */
export async function createUnregisteredError(
  action: string,
  account: string,
  { kind, value }: SenderIdentity,
  { database, audit }: Context,
): Promise<OperationError> {
  if (isSenderMasked(kind, value))
    await recordRefusal(database, action, audit.act, `${kind} that is not registered`, { account })
  return new OperationError('not-found', `${kind} '${value}' is not registered for account '${account}'`, {
    facts: { resource: 'sender', id: value, account },
  })
}

/** Text for descriptions of operations that register senders. */
export const guessLimitDescription = `Operators without the right _reveal_ see only the last digits of mobile numbers and must not guess the others: at most ${maxMisses} of their new mobile numbers per minute can end like a number that is registered for the same account. A request with more is refused, and no mobile number is registered for the rest of the minute.`

/** Call before senders are registered. */
export async function limitGuesses(
  action: string,
  keys: readonly SenderIdentity[],
  { database, audit, signed }: Context,
): Promise<void> {
  if (signed.account !== null || hasRight(signed.role, 'reveal')) return
  const masked = keys.filter(({ kind, value }) => isSenderMasked(kind, value))
  if (masked.length === 0) return
  guesses.requireForNew(signed.name)
  const registered = (await findSendersEndingLike(database, masked)).filter(({ kind, value }) =>
    isSenderMasked(kind, value),
  )
  const registeredKeys = new Set(registered.map((key) => toSenderKey(key, key.value)))
  const endings = new Set(registered.map((key) => toSenderKey(key, getUnmaskedDigits(key.value))))
  const alike = masked.filter(
    (key) =>
      !registeredKeys.has(toSenderKey(key, key.value)) &&
      endings.has(toSenderKey(key, getUnmaskedDigits(key.value))),
  )
  if (guesses.missEach(signed.name, alike.length)) return
  // Recorded once: further requests within the minute are refused earlier.
  await recordRefusal(database, action, audit.act, 'mobile numbers that end like registered ones', {
    numbers: alike.length,
  })
  guesses.requireForNew(signed.name)
}

const toSenderKey = ({ accountId, kind }: SenderIdentity, value: string): string =>
  `${accountId}/${kind}/${value}`
