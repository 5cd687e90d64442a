/** Keys and tokens of an account. */
import { Type } from 'typebox'
import { readNetwork } from '../../accounts/address-list.ts'
import { isActive } from '../../accounts/credential-actions.ts'
import { listCredentials } from '../../accounts/credential-queries.ts'
import { scopes } from '../../accounts/credential.ts'
import { requireAccountId } from '../../acts/accounts.ts'
import { addKey, addSmppPassword, revokeAllTokens, revokeKey } from '../../acts/credentials.ts'
import { clock } from '../../platform/clock.ts'
import { clientId, flag, internal, list, nullable, oneOf, record, shownText, text, time } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'
import { AdminProblem } from '../problem.ts'

const keyId = text('Id of the key or password', { pattern: '^[0-9A-Z]{12}$' })
const base = '/admin/v1/accounts/{clientId}/credentials'

const Credential = record(
  {
    keyId,
    kind: oneOf(['password', 'key', 'smpp'], 'What it is'),
    name: text('What it is for'),
    active: flag('Whether it works'),
    scopes: nullable(list(oneOf(scopes, 'A scope'), 'What it may be used for; null: everything')),
    networks: nullable(list(text('A network'), 'Where it may be used from; null: everywhere')),
    createdBy: internal(text('Who made it')),
    createdAt: time('When it was made'),
    endsAt: nullable(time('When it ends; null: never')),
    revokedAt: nullable(time('When it was revoked')),
    replacedBy: nullable(text('Id of its successor')),
    usedAt: nullable(time('When it was last used')),
    usedFrom: nullable(text('From which address')),
  },
  'A key or password',
  { title: 'Credential' },
)

export const credentialOperations = [
  defineOperation({
    id: 'listCredentials',
    method: 'get',
    path: base,
    tag: 'Accounts',
    summary: 'List the keys and passwords of an account, the oldest first',
    access: reads(),
    client: 'own',
    action: 'account key list',
    params: { clientId },
    data: record({ credentials: list(Credential, 'Keys and passwords') }, 'Keys and passwords'),
    run: async ({ params }, { database }) => {
      const credentials = await listCredentials(database, await requireAccountId(database, params.clientId))
      return {
        credentials: credentials.map(({ scopes: allowed, networks, ...credential }) => ({
          ...credential,
          active: isActive(credential, clock.date()),
          scopes: allowed === null ? null : [...allowed],
          networks: networks === null ? null : [...networks],
        })),
      }
    },
  }),
  defineOperation({
    id: 'addCredential',
    method: 'post',
    path: base,
    tag: 'Accounts',
    summary: 'Add a key, or a password for SMPP, to an account; it is answered once',
    description:
      'A password for SMPP serves to bind, from its networks alone: _send_ submits, _report_ receives receipts, _replies_ receives replies. The account needs `smppBinds`.',
    access: changes('credentials'),
    client: 'own',
    action: 'account key add',
    params: { clientId },
    body: {
      name: shownText('What it is for', { minLength: 1, maxLength: 200 }),
      scopes: Type.Optional(Type.Array(oneOf(scopes, 'A scope'), { minItems: 1, maxItems: scopes.length })),
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3_650, description: 'Days after which it ends' }),
      ),
      networks: Type.Optional(
        Type.Array(Type.String({ maxLength: 50 }), {
          minItems: 1,
          maxItems: 100,
          description: 'Networks in CIDR notation',
        }),
      ),
      smpp: Type.Optional(flag('Make a password of eight characters for binds over SMPP instead')),
    },
    data: record(
      {
        keyId,
        key: text('The key or password, which is not stored'),
        endsAt: nullable(time('When it ends')),
        systemId: nullable(text('What a client binds with over SMPP; null for a key')),
      },
      'The key or password',
    ),
    run: async ({ params, body: { smpp = false, ...given } }, { audit, services: { config } }) => {
      const request = { ...given, networks: given.networks?.map(requireNetwork) }
      if (smpp) return addSmppPassword(audit, params.clientId, request)
      return { ...(await addKey(audit, config.cell, params.clientId, request)), systemId: null }
    },
  }),
  defineOperation({
    id: 'revokeCredential',
    method: 'delete',
    path: `${base}/{keyId}`,
    tag: 'Accounts',
    summary: 'Revoke a key or password with its tokens; running processes follow within two seconds',
    access: changes('credentials'),
    client: 'own',
    clientWhileBlocked: true,
    action: 'account key revoke',
    params: { clientId, keyId: text('Id of the key or password', { minLength: 1, maxLength: 20 }) },
    query: {
      disableWebhooks: Type.Optional(flag('Also disable the webhooks whose URL was set with it')),
    },
    data: record(
      {
        kind: oneOf(['password', 'key', 'smpp'], 'What it was'),
        webhooks: list(
          record(
            {
              id: text('Id of the webhook'),
              url: text('Its URL, masked'),
              enabled: flag('Whether it is pushed to'),
            },
            'A webhook',
          ),
          'Webhooks whose URL was set with it: whoever had the key may have chosen it',
        ),
      },
      'What was revoked',
    ),
    run: async ({ params, query: { disableWebhooks = false } }, { audit }) => {
      const { kind, webhooks } = await revokeKey(audit, params.clientId, params.keyId, disableWebhooks)
      return { kind, webhooks: [...webhooks] }
    },
  }),
  defineOperation({
    id: 'revokeTokens',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/revoke-tokens',
    tag: 'Accounts',
    summary: 'Revoke every token of an account; its keys and passwords stay',
    access: changes('credentials'),
    client: 'own',
    clientWhileBlocked: true,
    action: 'account revoke-tokens',
    params: { clientId },
    data: record({ clientId }, 'The account'),
    run: async ({ params }, { audit }) => {
      await revokeAllTokens(audit, params.clientId)
      return { clientId: params.clientId }
    },
  }),
]

function requireNetwork(text: string): string {
  const network = readNetwork(text)
  if (network !== null) return network
  throw new AdminProblem('invalid-request', `'networks': '${text}' is not a network such as 10.1.0.0/16`)
}
