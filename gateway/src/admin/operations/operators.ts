/** Operators: list, add, change the role, disable and enable. Their keys and logins: operator-keys.ts and operator-logins.ts. */
import { Type } from 'typebox'
import { addOperator, changeOperator, isUsable, requireOperator } from '../../acts/operators.ts'
import { printedKeyNote } from '../../operators/key.ts'
import { listOperators, revokedKeysDays, type ListedOperator } from '../../operators/queries.ts'
import { operatorRoles, roles } from '../../operators/rights.ts'
import { readCursor, toPage } from '../cursor.ts'
import { flag, list, nullable, oneOf, page, pageQuery, record, text, time } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'
import { keyDays, NewKey, operatorName as name, requireKey, toNewKey } from './operator-fields.ts'
import { operatorKeyOperations } from './operator-keys.ts'
import { operatorLoginOperations } from './operator-logins.ts'

const base = '/admin/v1/operators'

const Operator = record(
  {
    name,
    role: oneOf(operatorRoles, 'What the person may do; client: an operator of a client'),
    account: nullable(text('Client id of the account of a client; null for others')),
    disabledAt: nullable(time('Since when the operator is refused; null: not disabled')),
    createdAt: time('When the operator was added'),
    createdBy: text('By whom'),
    issuer: nullable(text('The OpenID provider that vouches for the person; null: added here')),
    password: oneOf(
      ['none', 'first', 'own'],
      'For the console; first: made by somebody else, to be replaced at the first sign-in',
    ),
    totp: flag('Whether a second factor is enrolled'),
    keys: list(
      record(
        {
          keyId: text('Id of the key'),
          usable: flag('Whether it works'),
          initial: flag('Whether it was made by somebody else, and must be replaced before anything else'),
          createdAt: time('When it was made'),
          createdBy: text('By whom'),
          endsAt: nullable(time('When it ends; null: never')),
          revokedAt: nullable(time('When it was revoked')),
        },
        'A key, without its secret',
        { title: 'OperatorKey' },
      ),
      `Keys, the oldest first; revoked ones for ${revokedKeysDays} days`,
    ),
  },
  'An operator',
  { title: 'Operator' },
)

function toOperator({ keys, ...operator }: ListedOperator) {
  return { ...operator, keys: keys.map((key) => ({ ...key, usable: isUsable(key) })) }
}

const switchOperation = <const Verb extends 'enable' | 'disable'>(verb: Verb) =>
  defineOperation({
    id: `${verb}Operator` as const,
    method: 'post',
    path: `${base}/{name}/${verb}`,
    tag: 'Operators',
    summary:
      verb === 'disable'
        ? 'Refuse an operator from the next request on; open streams end within seconds'
        : 'Let an operator sign in again',
    access: changes('operators', 'required'),
    action: `operator ${verb}`,
    command: {
      examples: [verb === 'disable' ? 'lee --reason "has left"' : 'lee --reason "is back"'],
      columns: ['name', 'role', 'disabledAt'],
    },
    params: { name },
    data: Operator,
    run: async ({ params }, { database, audit, signed }) => {
      requireKey(signed)
      await changeOperator(audit, params.name, { disabled: verb === 'disable' })
      return toOperator(await requireOperator(database, params.name))
    },
  })

export const operatorOperations = [
  defineOperation({
    id: 'listOperators',
    method: 'get',
    path: base,
    tag: 'Operators',
    summary: 'List operators with their keys, by name',
    access: reads('operators'),
    action: 'operator list',
    command: { examples: [''] },
    query: pageQuery,
    data: page(Operator, 'Operators'),
    run: async ({ query: { limit, cursor } }, { database }) => {
      const after = readCursor(Type.Tuple([Type.String({ maxLength: 100 })]), cursor)?.[0]
      const rows = await listOperators(database, { after, limit: limit + 1 })
      return toPage(rows, limit, toOperator, (operator) => [operator.name])
    },
  }),
  defineOperation({
    id: 'addOperator',
    method: 'post',
    path: base,
    tag: 'Operators',
    summary: 'Add an operator; the first key is answered once, and must be replaced by its operator',
    access: changes('operators'),
    action: 'operator add',
    command: {
      arguments: ['name'],
      examples: [
        'kim --role admin',
        'lee --role support --days 90',
        'park@shop.example --role client --account shop',
      ],
      details:
        'From the first operator on, who must be an admin, every command but the processes and `postern migrate` needs the key of an operator. The operator replaces the printed key with `postern operator key rotate` before anything else. The login of a client runs no other command; give it a first password with `postern operator password`.',
      note: printedKeyNote,
    },
    body: {
      name: text('1 to 64 lower-case letters, digits and . _ @ -', {
        pattern: '^[a-z0-9][a-z0-9._@-]{0,63}$',
      }),
      role: oneOf(operatorRoles, 'What the person may do; client: an operator of a client'),
      account: Type.Optional(
        text('With the role client: the account that the login is for', { minLength: 1, maxLength: 200 }),
      ),
      ...keyDays,
    },
    data: NewKey,
    run: async ({ body: { name: given, ...options } }, { audit, signed }) => {
      requireKey(signed)
      return toNewKey(given, await addOperator(audit, given, options))
    },
  }),
  defineOperation({
    id: 'setOperator',
    method: 'patch',
    path: `${base}/{name}`,
    tag: 'Operators',
    summary: 'Change the role of an operator, from the next request on',
    access: changes('operators', 'required'),
    action: 'operator role',
    command: {
      arguments: ['name', 'role'],
      examples: ['lee operator --reason "moved to the night shift"'],
      columns: ['name', 'role', 'disabledAt'],
    },
    params: { name },
    body: { role: oneOf(roles, 'What the person may do') },
    data: Operator,
    run: async ({ params, body: { role } }, { database, audit, signed }) => {
      requireKey(signed)
      await changeOperator(audit, params.name, { role })
      return toOperator(await requireOperator(database, params.name))
    },
  }),
  switchOperation('disable'),
  switchOperation('enable'),
  ...operatorKeyOperations,
  ...operatorLoginOperations,
]
