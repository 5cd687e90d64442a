/**
 * Erases the text and recipient of closed messages to one number, its replies, and the images that only these messages use. Parked jobs that
 * name the number are returned, because an operator has to decide on each.
 */
import { requireAccountId } from '../../acts/accounts.ts'
import { isInternationalRecipient, isRecipient, maskNumber } from '../../channels/numbers.ts'
import { findUnshared, withdraw } from '../../files/unshared.ts'
import { findParkedTo } from '../../parked/find.ts'
import { eraseRecipient } from '../../records/messages/erase.ts'
import { eraseRepliesOf } from '../../records/replies/queries.ts'
import { clientId, list, record, text, whole } from '../fields.ts'
import { changes, defineOperation, type RequestContext } from '../operation.ts'
import { wrongField } from '../../acts/errors.ts'

export const erasureOperations = [
  defineOperation({
    id: 'eraseRecipient',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/erase-recipient',
    tag: 'Accounts',
    summary: 'Erase text and recipient of the closed messages of an account to a number, and its replies',
    description:
      'Their parked jobs are removed, the number is removed from receipts that match no message, and images that no other message and no form uses are deleted. Open messages stay until they are closed, and other parked jobs that name the number until an operator decides on them: repeat it then.',
    access: changes('erase', 'required'),
    action: 'account erase-recipient',
    command: {
      arguments: ['clientId', 'recipient'],
      examples: ['shop-1 01012345678 --reason "asked by the person, case 204"'],
      note: 'Repeat the command until no message is open and no parked job names the number.',
    },
    params: { clientId },
    body: {
      recipient: text('The number as it was sent to, such as 01012345678', { pattern: '^\\+?[0-9]{3,20}$' }),
    },
    data: record(
      {
        erased: whole('Messages that were erased'),
        open: whole('Messages that are still open'),
        files: whole('Images that only these messages used: deleted within an hour'),
        replies: whole('Replies of the number that were deleted'),
        parked: list(whole('Number of a job'), 'Parked jobs that name the number'),
      },
      'The erasure',
    ),
    run: ({ params, body: { recipient } }, context) => {
      if (!isRecipient(recipient) && !isInternationalRecipient(recipient))
        throw wrongField('recipient', 'must be a number such as 01012345678 or +819012345678')
      return erase(context, params.clientId, recipient)
    },
  }),
]

async function erase(
  { database, audit, services: { encryption } }: RequestContext,
  account: string,
  number: string,
) {
  const index = await encryption.findBlindIndex(database)
  const accountId = await requireAccountId(database, account)
  const work = async () => {
    let files = 0
    const counts = await eraseRecipient(database, accountId, number, async (msgKeys) => {
      files = await withdraw(database, accountId, await findUnshared(database, accountId, msgKeys))
    })
    // Without an index no reply was ever stored.
    const replies = index === undefined ? 0 : await eraseRepliesOf(database, accountId, index.of(number))
    return { ...counts, files, replies, parked: await findParkedTo(database, accountId, number) }
  }
  return audit.around({ target: maskNumber(number), account }, work, (counts) => ({
    ...counts,
    parked: counts.parked.length,
  }))
}
