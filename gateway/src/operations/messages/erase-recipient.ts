/**
 * Erases the data of one number: text and recipient of closed messages with their parked jobs, unmatched receipts, lines
 * of batches, replies, and images that only these messages use. Other parked jobs that contain the number are returned,
 * because an operator has to decide on each.
 */
import { requireAccountId } from '../find-account.ts'
import { isInternationalRecipient, isRecipient, maskNumber } from '../../channels/numbers.ts'
import { findUnsharedFiles, withdraw } from '../../records/files/storage/unshared.ts'
import { findParkedTo } from '../parked/find.ts'
import { eraseBatchRecipient } from '../../records/batches/erase.ts'
import { eraseRecipient } from '../../records/messages/erase.ts'
import { eraseReplies } from '../../records/replies/queries.ts'
import { clientId, list, record, text, whole } from '../fields.ts'
import { writeAccess, defineOperation, type RequestContext } from '../operation.ts'
import { wrongField } from '../errors.ts'

export const erasureOperations = [
  defineOperation({
    id: 'eraseRecipient',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/erase-recipient',
    tag: 'Accounts',
    summary: 'Erase text and recipient of the closed messages to a number, and its replies',
    description:
      'Their parked jobs are removed, the number is removed from unmatched receipts, and images that no other message or form uses are deleted. Open messages remain until they are closed, and other parked jobs with the number until an operator decides on them; repeat the operation then.',
    access: writeAccess('erase', 'required'),
    action: 'account erase-recipient',
    command: {
      arguments: ['clientId', 'recipient'],
      examples: ['shop-1 01012345678 --reason "asked by the person, case 204"'],
      note: 'Repeat the command until no message is open and no parked job contains the number.',
    },
    params: { clientId },
    body: { recipient: text('Recipient number, such as 01012345678', { pattern: '^\\+?[0-9]{3,20}$' }) },
    data: record(
      {
        erased: whole('Erased messages'),
        open: whole('Messages that are not closed yet, and lines of batches that wait for their message'),
        files: whole('Images that only these messages used; deleted within an hour'),
        replies: whole('Deleted replies from the number'),
        parked: list(whole('Number of a job'), 'Parked jobs that contain the number'),
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
      files = await withdraw(database, accountId, await findUnsharedFiles(database, accountId, msgKeys))
    })
    const parked = await findParkedTo(database, accountId, number)
    // Replies and batches are stored only after the index was created, so there are none without it.
    if (index === undefined) return { ...counts, files, replies: 0, parked }
    const replies = await eraseReplies(database, accountId, index.of(number))
    const lines = await eraseBatchRecipient(database, index, accountId, number)
    return { ...counts, open: counts.open + lines.waiting, files, replies, parked }
  }
  return audit.around({ target: maskNumber(number), account }, work, (counts) => ({
    ...counts,
    parked: counts.parked.length,
  }))
}
