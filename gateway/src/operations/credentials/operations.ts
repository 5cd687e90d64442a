import { Type } from 'typebox'
import { readNetwork } from '../../identity/accounts/address-list.ts'
import { defaultOverlapHours, isActive, maxOverlapHours } from '../../identity/accounts/credential-actions.ts'
import { listCredentials } from '../../identity/accounts/credential-queries.ts'
import { scopes } from '../../identity/accounts/credential.ts'
import { requireAccountId } from '../find-account.ts'
import { addKey, revokeAllTokens, revokeKey } from './credentials.ts'
import { changePassword, rotateKey } from './rotate.ts'
import { clock } from '../../platform/time/clock.ts'
import {
  clientId,
  flag,
  internal,
  list,
  nullable,
  oneOf,
  record,
  shownText,
  text,
  time,
  whole,
} from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'
import { wrongField } from '../errors.ts'

const keyId = text('Id of the key or password', { pattern: '^[0-9A-Z]{12}$' })
const base = '/admin/v1/accounts/{clientId}/credentials'

const Credential = record(
  {
    keyId,
    kind: oneOf(['password', 'key', 'smpp'], 'Kind of credential'),
    name: text('Purpose of the credential'),
    active: flag('Whether it is valid'),
    scopes: nullable(list(oneOf(scopes, 'A scope'), 'Allowed scopes; null means all')),
    networks: nullable(list(text('A network'), 'Allowed networks; null means all')),
    createdBy: internal(text('Operator who created it')),
    createdAt: time('When it was created'),
    endsAt: nullable(time('When it expires; null if never')),
    revokedAt: nullable(time('When it was revoked')),
    replacedBy: nullable(text('Id of its successor')),
    usedAt: nullable(time('When it was last used')),
    usedFrom: nullable(text('Address from which it was last used')),
  },
  'A key or password',
  { title: 'Credential' },
)

const overlap = {
  overlapHours: Type.Optional(
    whole(
      `Hours until the previous one expires, ${defaultOverlapHours} if omitted; 0 ends it immediately, with its tokens`,
      { minimum: 0, maximum: maxOverlapHours },
    ),
  ),
  force: Type.Optional(
    flag(
      'Replace it even if the credential that it replaced is still valid; that credential then expires immediately',
    ),
  ),
}
const previousUntil = nullable(time('When the replaced credential expires; null if it is already rejected'))

export const credentialOperations = [
  defineOperation({
    id: 'listCredentials',
    method: 'get',
    path: base,
    tag: 'Accounts',
    summary: 'List the keys and passwords of an account, oldest first',
    access: readAccess(),
    client: 'own',
    action: 'account key list',
    command: {
      examples: ['shop-1'],
      columns: ['keyId', 'kind', 'active', 'scopes', 'networks', 'endsAt', 'usedAt', 'name'],
    },
    params: { clientId },
    data: record({ credentials: list(Credential, 'Keys and passwords') }, 'Keys and passwords'),
    run: async ({ params }, { database }) => {
      const credentials = await listCredentials(database, await requireAccountId(database, params.clientId))
      const now = clock.date()
      return {
        credentials: credentials.map((credential) => ({ ...credential, active: isActive(credential, now) })),
      }
    },
  }),
  defineOperation({
    id: 'addCredential',
    method: 'post',
    path: base,
    tag: 'Accounts',
    summary: 'Add a key or an SMPP password to an account; the key or password is returned once',
    description:
      'An SMPP password is valid only for binds from its networks. Its scopes: `send` permits submitting, `report` receiving receipts, `replies` receiving replies. `smppBinds` of the account must be above 0.',
    access: writeAccess('credentials'),
    client: 'own',
    action: 'account key add',
    command: {
      examples: [
        'shop-1 --name shop-backend',
        'shop-1 --name binds --smpp --networks 203.0.113.0/24',
        'shop-1 --name billing --scopes report,usage --days 90 --networks 203.0.113.0/24,2001:db8::/48',
      ],
      details:
        'Clients send a key as `Authorization: Bearer <key>`, or instead of the password in a token request.',
      note: 'The key is not stored and cannot be shown again. The change takes effect in all processes within two seconds.',
    },
    params: { clientId },
    body: {
      name: shownText('Purpose of the credential', { minLength: 1, maxLength: 200 }),
      scopes: Type.Optional(
        Type.Array(oneOf(scopes, 'A scope'), {
          minItems: 1,
          maxItems: scopes.length,
          description: `Allowed scopes, any of ${scopes.join(', ')}; all if omitted`,
        }),
      ),
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3_650, description: 'Days until it expires; never if omitted' }),
      ),
      networks: Type.Optional(
        Type.Array(Type.String({ maxLength: 50 }), {
          minItems: 1,
          maxItems: 100,
          description: 'Allowed networks in CIDR notation; all if omitted',
        }),
      ),
      smpp: Type.Optional(flag('Create an SMPP password of eight characters instead')),
    },
    data: record(
      {
        keyId,
        key: text('The key or password, which is not stored'),
        endsAt: nullable(time('When it expires; null if never')),
        systemId: nullable(text('SMPP system_id; null for a key')),
      },
      'The key or password',
    ),
    run: ({ params, body }, { audit, services: { config } }) =>
      addKey(audit, config.cell, params.clientId, { ...body, networks: body.networks?.map(requireNetwork) }),
  }),
  defineOperation({
    id: 'rotateCredential',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/credentials/{keyId}/rotate',
    tag: 'Accounts',
    summary: 'Replace a key by a new one with the same scopes and networks; the new key is returned once',
    access: writeAccess('credentials'),
    client: 'own',
    action: 'account key rotate',
    command: {
      examples: ['shop-1 7QK2M9XW04TZ', 'shop-1 7QK2M9XW04TZ --overlap-hours 0'],
      note: 'The key is not stored and cannot be shown again. The change takes effect in all processes within two seconds.',
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
    id: 'revokeCredential',
    method: 'delete',
    path: `${base}/{keyId}`,
    tag: 'Accounts',
    summary: 'Revoke a key or password and its tokens, effective in all processes within two seconds',
    access: writeAccess('credentials'),
    client: 'own',
    clientWhileBlocked: true,
    action: 'account key revoke',
    command: {
      examples: ['shop-1 7QK2M9XW04TZ', 'shop-1 7QK2M9XW04TZ --disable-webhooks'],
      note: 'The listed webhooks receive reports while they are enabled; check each, and change or remove it with `postern webhook`.',
    },
    params: { clientId, keyId: text('Id of the key or password', { minLength: 1, maxLength: 20 }) },
    query: {
      disableWebhooks: Type.Optional(
        flag('Also disable the webhooks whose URL was set with this credential'),
      ),
    },
    data: record(
      {
        kind: oneOf(['password', 'key', 'smpp'], 'Kind of credential'),
        webhooks: list(
          record(
            {
              id: text('Id of the webhook'),
              url: text('URL, masked'),
              enabled: flag('Whether it is enabled'),
            },
            'A webhook',
          ),
          'Webhooks whose URL was set with this credential; check them, because a thief of the credential may have set it',
        ),
      },
      'The revoked credential',
    ),
    run: ({ params, query: { disableWebhooks = false } }, { audit }) =>
      revokeKey(audit, params.clientId, params.keyId, disableWebhooks),
  }),
  defineOperation({
    id: 'changePassword',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/password',
    tag: 'Accounts',
    summary: 'Change the password of an account; the new one is returned once',
    description:
      'The new password has the networks and lifetime of the previous one unless they are given. For a leaked password, an overlap of 0 with `force` ends every earlier password.',
    access: writeAccess('credentials'),
    client: 'own',
    action: 'account password',
    command: {
      examples: ['shop-1', 'shop-1 --overlap-hours 0 --force', 'shop-1 --networks 203.0.113.0/24 --days 90'],
      note: 'The password is not stored and cannot be shown again. The change takes effect in all processes within two seconds.',
    },
    params: { clientId },
    body: {
      ...overlap,
      days: Type.Optional(whole('Days until it expires; 0 means never', { minimum: 0, maximum: 3_650 })),
      networks: Type.Optional(
        Type.Array(Type.String({ maxLength: 50 }), {
          maxItems: 100,
          description: 'Allowed networks in CIDR notation; an empty list allows all',
        }),
      ),
    },
    data: record(
      {
        keyId: text('Id of the password'),
        password: text('The password, which is not stored'),
        previousUntil,
        endsAt: nullable(time('When it expires; null if never')),
      },
      'The password',
    ),
    run: ({ params, body }, { audit }) =>
      changePassword(audit, params.clientId, { ...body, networks: body.networks?.map(requireNetwork) }),
  }),
  defineOperation({
    id: 'revokeTokens',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/revoke-tokens',
    tag: 'Accounts',
    summary: 'Revoke all tokens of an account; its keys and passwords stay valid',
    access: writeAccess('credentials'),
    client: 'own',
    clientWhileBlocked: true,
    action: 'account revoke-tokens',
    command: {
      examples: ['shop-1'],
      details:
        'The account can request a new token immediately. `postern account password` changes a leaked password.',
      note: 'All tokens of the account are revoked, in all processes within two seconds.',
    },
    params: { clientId },
    data: record({ clientId }, 'The account'),
    run: async ({ params }, { audit }) => {
      await revokeAllTokens(audit, params.clientId)
      return { clientId: params.clientId }
    },
  }),
]

function requireNetwork(given: string): string {
  const network = readNetwork(given)
  if (network !== null) return network
  throw wrongField('networks', `must be networks such as 10.1.0.0/16, not '${given}'`)
}
