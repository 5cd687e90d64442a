import { Type } from 'typebox'
import { addFirstKey, revokeOperatorKeyById, rotateOwnKey } from './keys.ts'
import { printedKeyNote } from '../../identity/operators/key.ts'
import { flag, record, text } from '../fields.ts'
import { writeAccess, defineOperation } from '../operation.ts'
import { keyDays, NewOperatorKeySchema, operatorName, requireKey, requireOther, toNewKey } from './fields.ts'

const keyId = text('ID of the key, from the list of operators', { minLength: 1, maxLength: 20 })

export const operatorKeyOperations = [
  defineOperation({
    id: 'addOperatorKey',
    method: 'post',
    path: '/admin/v1/operators/{name}/keys',
    tag: 'Operators',
    summary:
      'Create another initial key for an operator; it is returned once, and its operator must replace it',
    description:
      'For an operator whose key expired or is lost. Earlier unused initial keys are revoked. Requires a key, not a session. Not allowed for your own name; rotate your own key instead.',
    access: writeAccess('operators'),
    action: 'operator key add',
    command: { examples: ['kim --days 90', 'kim --replace --reason "laptop lost"'], note: printedKeyNote },
    params: { name: operatorName },
    body: {
      ...keyDays,
      replace: Type.Optional(
        flag('Allow this for an operator with a valid key; it is revoked with all others'),
      ),
    },
    data: NewOperatorKeySchema,
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
    summary: 'Replace the key of this request; the new one is returned once',
    description:
      'The previous key is rejected immediately, and the new one expires no later than the previous one. This is the only operation allowed with an initial key. If the response is lost, an admin can create another initial key. At most ten keys per day, except for initial keys.',
    access: writeAccess('read'),
    client: 'self',
    withFirstKey: true,
    action: 'operator key rotate',
    body: keyDays,
    data: NewOperatorKeySchema,
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
    summary: 'Revoke a key of an operator permanently, from the next request on',
    access: writeAccess('operators', 'required'),
    action: 'operator key revoke',
    command: { examples: ['7QK2M9XW04TZ --reason "laptop lost"'] },
    params: { keyId },
    data: record({ keyId }, 'The key'),
    run: async ({ params }, { audit, signed }) => {
      requireKey(signed)
      await revokeOperatorKeyById(audit, params.keyId)
      return { keyId: params.keyId }
    },
  }),
]
