/**
 * Finds senders by number. Lists show only the last digits of a mobile number, and whoever may look up numbers finds the
 * others, so the lookup of a mobile number requires the right `reveal`.
 */
import { Type, type Static } from 'typebox'
import { requireAccountId } from '../find-account.ts'
import { OperationError } from '../errors.ts'
import { recordRefusal } from '../rights.ts'
import { findSender, type SenderEntry, type SenderIdentity } from '../../trust/senders/queries.ts'
import { isSenderMasked, normalizeSenderValue } from '../../trust/senders/sender.ts'
import type { RequestContext } from '../operation.ts'
import { requireSender, senderId, senderKind, senderValue } from './fields.ts'

type Context = Pick<RequestContext, 'database' | 'audit'>

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
  if (isSenderMasked(kind, key.value)) await context.audit.requireRight('reveal')
  return { key, found: await findSender(context.database, key) }
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
