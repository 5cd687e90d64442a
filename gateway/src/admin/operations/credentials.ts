/** Keys, passwords and tokens of an account. */
import { Type } from 'typebox'
import { readNetwork } from '../../accounts/address-list.ts'
import { defaultOverlapHours, isActive, maxOverlapHours } from '../../accounts/credential-actions.ts'
import { listCredentials } from '../../accounts/credential-queries.ts'
import { scopes } from '../../accounts/credential.ts'
import { requireAccountId } from '../../acts/accounts.ts'
import { addKey, revokeAllTokens, revokeKey } from '../../acts/credentials.ts'
import { changePassword, rotateKey } from '../../acts/rotate.ts'
import { clock } from '../../platform/clock.ts'
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
import { changes, defineOperation, reads } from '../operation.ts'
import { wrongField } from '../../acts/errors.ts'

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
    command: {
      examples: ['shop-1'],
      columns: ['keyId', 'kind', 'active', 'scopes', 'networks', 'endsAt', 'usedAt', 'name'],
    },
    params: { clientId },
    data: record({ credentials: list(Credential, 'Keys and passwords') }, 'Keys and passwords'),
    run: async ({ params }, { database }) => {
      const credentials = await listCredentials(database, await requireAccountId(database, params.clientId))
      const now = clock.date()
      return { credentials: credentials.map((one) => ({ ...one, active: isActive(one, now) })) }
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
    command: {
      examples: [
        'shop-1 --name shop-backend',
        'shop-1 --name binds --smpp --networks 203.0.113.0/24',
        'shop-1 --name billing --scopes report,usage --days 90 --networks 203.0.113.0/24,2001:db8::/48',
      ],
      details:
        'A client sends a key as `Authorization: Bearer <key>`, or in place of the password when it requests a token.',
      note: 'The key is not stored and cannot be shown again. Running processes follow within two seconds.',
    },
    params: { clientId },
    body: {
      name: shownText('What it is for', { minLength: 1, maxLength: 200 }),
      scopes: Type.Optional(
        Type.Array(oneOf(scopes, 'A scope'), {
          minItems: 1,
          maxItems: scopes.length,
          description: `What it may be used for, any of ${scopes.join(', ')}; everything when it is left out`,
        }),
      ),
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 3_650,
          description: 'Days after which it ends; never when it is left out',
        }),
      ),
      networks: Type.Optional(
        Type.Array(Type.String({ maxLength: 50 }), {
          minItems: 1,
          maxItems: 100,
          description: 'Networks in CIDR notation that it may be used from; all when it is left out',
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
    run: ({ params, body }, { audit, services: { config } }) =>
      addKey(audit, config.cell, params.clientId, { ...body, networks: body.networks?.map(requireNetwork) }),
  }),
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
    id: 'revokeCredential',
    method: 'delete',
    path: `${base}/{keyId}`,
    tag: 'Accounts',
    summary: 'Revoke a key or password with its tokens; running processes follow within two seconds',
    access: changes('credentials'),
    client: 'own',
    clientWhileBlocked: true,
    action: 'account key revoke',
    command: {
      examples: ['shop-1 7QK2M9XW04TZ', 'shop-1 7QK2M9XW04TZ --disable-webhooks'],
      note: 'Webhooks in this list get reports while they are enabled; check each, and change or remove it with `postern webhook`.',
    },
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
    run: ({ params, query: { disableWebhooks = false } }, { audit }) =>
      revokeKey(audit, params.clientId, params.keyId, disableWebhooks),
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
    id: 'revokeTokens',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/revoke-tokens',
    tag: 'Accounts',
    summary: 'Revoke every token of an account; its keys and passwords stay',
    access: changes('credentials'),
    client: 'own',
    clientWhileBlocked: true,
    action: 'account revoke-tokens',
    command: {
      examples: ['shop-1'],
      details:
        'The account can request a new token at once. `postern account password` changes a leaked password.',
      note: 'All its tokens are revoked. Running processes follow within two seconds.',
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
