/** New secrets of accounts, and the erasure of a recipient: rotate a key, change the password, rotate the secret of a webhook, erase. */
import { Type } from 'typebox'
import { defaultOverlapHours, maxOverlapHours } from '../../accounts/credential-actions.ts'
import { readNetwork } from '../../accounts/address-list.ts'
import { eraseRecipientOf } from '../../acts/erase-recipient.ts'
import { changePassword, rotateKey } from '../../acts/rotate.ts'
import { isInternationalRecipient, isRecipient } from '../../channels/numbers.ts'
import { clientId, flag, list, nullable, record, text, time, whole } from '../fields.ts'
import { changes, defineOperation } from '../operation.ts'
import { AdminProblem } from '../problem.ts'

const overlap = {
  overlapHours: Type.Optional(
    whole(
      `Hours that the previous one still works, ${defaultOverlapHours} when it is left out; 0 ends it at once, with its tokens`,
      {
        minimum: 0,
        maximum: maxOverlapHours,
      },
    ),
  ),
  force: Type.Optional(
    flag('Replace it although the predecessor of an earlier rotation still works, which ends at once'),
  ),
}
const previousUntil = nullable(time('Until when the previous one works; null: it is refused already'))

export const secretOperations = [
  defineOperation({
    id: 'rotateCredential',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/credentials/{keyId}/rotate',
    tag: 'Accounts',
    summary: 'Replace a key by another with the same limits; it is answered once',
    access: changes('credentials'),
    client: 'own',
    action: 'account key rotate',
    command: {
      examples: ['shop-1 7QK2M9XW04TZ', 'shop-1 7QK2M9XW04TZ --overlap-hours 0'],
      note: 'The key is not stored and cannot be shown again. Running processes follow within two seconds.',
    },
    params: { clientId, keyId: text('Id of the key', { minLength: 1, maxLength: 20 }) },
    body: overlap,
    data: record(
      { keyId: text('Id of the new key'), key: text('The key, which is not stored'), previousUntil },
      'The key',
    ),
    run: ({ params, body }, { audit, services: { config } }) =>
      rotateKey(audit, config.cell, params.clientId, params.keyId, body),
  }),
  defineOperation({
    id: 'changePassword',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/password',
    tag: 'Accounts',
    summary: 'Give an account another password; it is answered once',
    description:
      'It has the networks and the lifetime of the previous one, unless others are given. For a password that has leaked, an overlap of 0 with `force` ends every earlier password. All processes must run this version.',
    access: changes('credentials'),
    client: 'own',
    action: 'account password',
    command: {
      examples: ['shop-1', 'shop-1 --overlap-hours 0 --force', 'shop-1 --networks 203.0.113.0/24 --days 90'],
      note: 'The password is not stored and cannot be shown again. Running processes follow within two seconds.',
    },
    params: { clientId },
    body: {
      ...overlap,
      days: Type.Optional(whole('Days after which it ends; 0: never', { minimum: 0, maximum: 3_650 })),
      networks: Type.Optional(
        Type.Array(Type.String({ maxLength: 50 }), {
          maxItems: 100,
          description: 'Networks in CIDR notation that it may be used from; an empty list is all networks',
        }),
      ),
    },
    data: record(
      {
        keyId: text('Id of the password'),
        password: text('The password, which is not stored'),
        previousUntil,
        endsAt: nullable(time('When it ends; null: never')),
      },
      'The password',
    ),
    run: ({ params, body }, { audit }) =>
      changePassword(audit, params.clientId, { ...body, networks: body.networks?.map(requireNetwork) }),
  }),
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
    run: async ({ params, body: { recipient } }, { database, audit, services: { encryption } }) => {
      if (!isRecipient(recipient) && !isInternationalRecipient(recipient))
        throw new AdminProblem(
          'invalid-request',
          "'recipient' must be a number such as 01012345678 or +819012345678",
        )
      return eraseRecipientOf({ database, audit, encryption }, params.clientId, recipient)
    },
  }),
]

export function requireNetwork(given: string): string {
  const network = readNetwork(given)
  if (network !== null) return network
  throw new AdminProblem('invalid-request', `'networks': '${given}' is not a network such as 10.1.0.0/16`)
}
