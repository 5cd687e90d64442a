import { Type } from 'typebox'
import { addOperator, changeOperator, isUsable, requireOperator } from './operators.ts'
import { printedKeyNote } from '../../identity/operators/key.ts'
import { listOperators, revokedKeysDays, type OperatorSummary } from '../../identity/operators/queries.ts'
import { operatorRoles, roles } from '../../identity/operators/rights.ts'
import { readCursor, toPage } from '../cursor.ts'
import { flag, list, nullable, oneOf, page, pageQuery, record, text, time } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'
import { keyDays, NewOperatorKeySchema, operatorName as name, requireKey, toNewKey } from './fields.ts'
import { operatorKeyOperations } from './key-operations.ts'
import { operatorLoginOperations } from './login-operations.ts'

const base = '/admin/v1/operators'

const Operator = record(
  {
    name,
    role: oneOf(operatorRoles, 'Role of the operator; client: an operator of a client'),
    account: nullable(text('Client ID of the account of a client; null for others')),
    disabledAt: nullable(time('Time at which the operator was disabled; null if enabled')),
    createdAt: time('When the operator was added'),
    createdBy: text('Operator who added it'),
    issuer: nullable(text('The OpenID provider of the operator; null for a local operator')),
    password: oneOf(
      ['none', 'first', 'own'],
      'Console password; first: set by another operator, to be replaced at the first sign-in',
    ),
    totp: flag('Whether a second factor is enrolled'),
    keys: list(
      record(
        {
          keyId: text('ID of the key'),
          usable: flag('Whether it is valid'),
          initial: flag('Whether another operator created it, and it must be replaced before anything else'),
          createdAt: time('When it was created'),
          createdBy: text('Operator who created it'),
          endsAt: nullable(time('When it expires; null if never')),
          revokedAt: nullable(time('When it was revoked')),
        },
        'A key, without its secret',
        { title: 'OperatorKey' },
      ),
      `Keys, oldest first; revoked ones for ${revokedKeysDays} days`,
    ),
  },
  'An operator',
  { title: 'Operator' },
)

function toOperator({ keys, ...operator }: OperatorSummary) {
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
        ? 'Disable an operator from the next request on; open streams end within seconds'
        : 'Enable a disabled operator',
    access: writeAccess('operators', 'required'),
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
    access: readAccess('operators'),
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
    summary: 'Add an operator; the initial key is returned once, and its operator must replace it',
    access: writeAccess('operators'),
    action: 'operator add',
    command: {
      arguments: ['name'],
      examples: [
        'kim --role admin',
        'lee --role support --days 90',
        'park@shop.example --role client --account shop',
      ],
      details:
        'The first operator must be an admin. From then on, every command that uses the database requires an operator key, except the processes, `postern migrate`, `postern operator recover` and the audit commands of auditors. The operator replaces the printed key with `postern operator key rotate` before anything else. A client operator can run no other command; set its initial password with `postern operator password`.',
      note: printedKeyNote,
    },
    body: {
      name: text('1 to 64 lower-case letters, digits and . _ @ -', {
        pattern: '^[a-z0-9][a-z0-9._@-]{0,63}$',
      }),
      role: oneOf(operatorRoles, 'Role of the operator; client: an operator of a client'),
      account: Type.Optional(
        text('Account of the client; required with the role client', { minLength: 1, maxLength: 200 }),
      ),
      ...keyDays,
    },
    data: NewOperatorKeySchema,
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
    access: writeAccess('operators', 'required'),
    action: 'operator role',
    command: {
      arguments: ['name', 'role'],
      examples: ['lee operator --reason "moved to the night shift"'],
      columns: ['name', 'role', 'disabledAt'],
    },
    params: { name },
    body: { role: oneOf(roles, 'Role of the operator') },
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
