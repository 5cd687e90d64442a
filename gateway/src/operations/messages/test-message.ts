/** Sends a test message for an account with the checks and limits of the public API. */
import { noSuchAccount } from '../find-account.ts'
import { readAccount } from '../../identity/accounts/queries.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { clientId, oneOf, record, text } from '../fields.ts'
import { writeAccess, defineOperation } from '../operation.ts'

/** Reference in the report, by which the client recognizes the test. */
const ref = 'test message'

export const testMessageOperations = [
  defineOperation({
    id: 'sendTestMessage',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/test-message',
    tag: 'Messages',
    summary:
      'Send a test message for an account; it is checked, limited and billed like a request of the client',
    description: `It takes the same route as other messages of the account. The client receives its report, with the reference _${ref}_.`,
    access: writeAccess('messages'),
    action: 'message test',
    params: { clientId },
    body: {
      channel: oneOf(['sms', 'mms', 'international'], 'Channel; mms is a long text without images'),
      from: text('Sender, such as 15880000', { minLength: 1, maxLength: 20 }),
      to: text('Recipient, such as 01012345678 or +819012345678', { minLength: 3, maxLength: 20 }),
      text: text('Text to send', { minLength: 1, maxLength: 2_000 }),
    },
    data: record({ msgKey: text('Key of the message') }, 'The accepted message'),
    run: async ({ params, body: { channel, from, to, text: content } }, { database, audit, services }) => {
      const account = await readAccount(database, params.clientId)
      if (account === null) throw noSuchAccount(params.clientId)
      const subject = { target: params.clientId, account: params.clientId }
      const msgKey = await audit.around(
        { ...subject, details: { channel, to: maskNumber(to) } },
        () => services.acceptMessage(account, channel, { from, to, text: content, ref }),
        (accepted) => ({ msgKey: accepted }),
      )
      return { msgKey }
    },
  }),
]
