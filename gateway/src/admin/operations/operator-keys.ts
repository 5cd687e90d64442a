/** Keys of operators: make a first one, replace the own one, revoke one. */
import { Type } from 'typebox'
import { addFirstKey, revokeKey, rotateOwnKey } from '../../acts/operator-keys.ts'
import { printedKeyNote } from '../../operators/key.ts'
import { flag, record, text } from '../fields.ts'
import { changes, defineOperation } from '../operation.ts'
import { keyDays, NewKey, operatorName, requireKey, requireOther, toNewKey } from './operator-fields.ts'

const keyId = text('Id of the key, as the list of operators has it', { minLength: 1, maxLength: 20 })

export const operatorKeyOperations = [
  defineOperation({
    id: 'addOperatorKey',
    method: 'post',
    path: '/admin/v1/operators/{name}/keys',
    tag: 'Operators',
    summary:
      'Make another first key for an operator; it is answered once, and must be replaced by its operator',
    description:
      'For an operator whose key has ended or is lost. First keys that were made before and not used are revoked. With a key alone. Refused for the own name: see rotateOwnKey.',
    access: changes('operators'),
    action: 'operator key add',
    command: {
      examples: ['kim --days 90', 'kim --replace --reason "laptop lost"'],
      note: printedKeyNote,
    },
    params: { name: operatorName },
    body: {
      ...keyDays,
      replace: Type.Optional(
        flag('Also when the operator has a key that works; it is revoked with all others'),
      ),
    },
    data: NewKey,
    run: async ({ params: { name }, body }, { audit, signed }) => {
      requireKey(signed)
      requireOther(signed, name, 'replace your own key, or ')
      return toNewKey(name, await addFirstKey(audit, name, body))
    },
  }),
  defineOperation({
    id: 'rotateOwnKey',
    method: 'post',
    path: '/admin/v1/me/key/rotate',
    tag: 'Sign-in',
    summary: 'Replace the key of this request; the new one is answered once',
    description:
      'The former key is refused at once, and the new one ends when the former would have, or earlier. The only operation with a first key. If the answer is lost, an admin makes another first key. Ten a day at most, but for first keys.',
    access: changes('read'),
    client: 'self',
    withFirstKey: true,
    action: 'operator key rotate',
    body: keyDays,
    data: NewKey,
    run: async ({ body }, { audit, signed }) => {
      requireKey(signed)
      return toNewKey(signed.name, await rotateOwnKey(audit, body))
    },
  }),
  defineOperation({
    id: 'revokeOperatorKey',
    method: 'post',
    path: '/admin/v1/operators/keys/{keyId}/revoke',
    tag: 'Operators',
    summary: 'End a key of an operator for good, from the next request on',
    access: changes('operators', 'required'),
    action: 'operator key revoke',
    command: { examples: ['7QK2M9XW04TZ --reason "laptop lost"'] },
    params: { keyId },
    data: record({ keyId }, 'The key'),
    run: async ({ params }, { audit, signed }) => {
      requireKey(signed)
      await revokeKey(audit, params.keyId)
      return { keyId: params.keyId }
    },
  }),
]
