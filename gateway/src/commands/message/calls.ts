/** The commands of messages over the admin API. */
import { requireMsgKey } from '../../acts/msg-key.ts'
import type { AdminClient } from '../client/client.ts'
import type { Result } from '../result.ts'
import { cancelledResult, foundResult, timelineResult } from './view.ts'

export async function showMessage(
  admin: AdminClient,
  msgKey: string,
  { reveal }: { readonly reveal?: boolean },
): Promise<Result> {
  requireMsgKey(msgKey)
  // A reason is recorded only with what is revealed, and the address of a request may be in a log.
  const query = reveal === true ? { reveal, ...admin.reason } : {}
  const shown = await admin.call('showMessage', { params: { msgKey }, query })
  return timelineResult(shown.msgKey, shown.events)
}

export async function findMessages(admin: AdminClient, account: string, recipient: string): Promise<Result> {
  const found = await admin.readAll((page) =>
    admin.call('searchRecipient', { body: { account, recipient, ...admin.requireReason(), ...page } }),
  )
  return foundResult(
    account,
    found.map(({ msgKey, acceptedAt, state }) => ({ msgKey, acceptedAt, open: state === 'open' })),
  )
}

export async function cancelMessage(admin: AdminClient, msgKey: string): Promise<Result> {
  requireMsgKey(msgKey)
  await admin.call('cancelMessage', { params: { msgKey }, body: admin.requireReason() })
  return cancelledResult(msgKey)
}
