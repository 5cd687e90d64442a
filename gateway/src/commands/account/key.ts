/** `postern account key add`, `list` and `revoke`. A key is printed once; only its hash is stored. */
import { isActive } from '../../accounts/credential-actions.ts'
import { listCredentials, type ListedCredential } from '../../accounts/credential-queries.ts'
import {
  addKey as add,
  addSmppPassword,
  revokeKey as revoke,
  type NewKeyRequest,
  type RevokedKey,
} from '../../acts/credentials.ts'
import { clock } from '../../platform/clock.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'
import { withDatabase } from '../connect.ts'
import { requireAccountId } from './view.ts'

export interface AddKeyOptions extends NewKeyRequest {
  readonly smpp?: true
}

export async function addKey(
  invocation: Invocation<'cell'>,
  clientId: string,
  { smpp, ...options }: AddKeyOptions,
): Promise<Result> {
  if (smpp === true) return addForSmpp(invocation, clientId, options)
  const { keyId, key, endsAt } = await withDatabase(invocation, (_database, { cell }, audit) =>
    add(audit, cell, clientId, options),
  )
  return {
    json: { clientId, keyId, key, endsAt },
    lines: [
      `key id  ${keyId}`,
      `key     ${key}`,
      'The key is not stored and cannot be shown again. Running processes follow within two seconds.',
    ],
  }
}

async function addForSmpp(
  invocation: Invocation<'cell'>,
  clientId: string,
  options: NewKeyRequest,
): Promise<Result> {
  const { keyId, key, endsAt, systemId } = await withDatabase(invocation, (_database, _config, audit) =>
    addSmppPassword(audit, clientId, options),
  )
  return {
    json: { clientId, keyId, systemId, password: key, endsAt },
    lines: [
      `key id     ${keyId}`,
      `system id  ${systemId}`,
      `password   ${key}`,
      'The password is not stored and cannot be shown again. Running processes follow within two seconds.',
    ],
  }
}

export function listKeys(invocation: Invocation, clientId: string): Promise<Result> {
  return withDatabase(invocation, async (database) => {
    const credentials = await listCredentials(database, await requireAccountId(database, clientId))
    const rows = credentials.map((one) => [
      one.keyId,
      one.kind,
      stateOf(one),
      one.scopes?.join(',') ?? 'all',
      one.networks?.join(',') ?? 'all',
      `${toMinute(one.createdAt)} ${one.createdBy}`,
      one.usedAt === null ? 'never' : `${toMinute(one.usedAt)} ${one.usedFrom ?? ''}`,
      one.name,
    ])
    const head = ['id', 'kind', 'state', 'scopes', 'networks', 'created', 'last used', 'name']
    return {
      json: {
        clientId,
        credentials: credentials.map(credentialJson),
      },
      lines: table([head, ...rows]),
    }
  })
}

export interface RevokeOptions {
  readonly disableWebhooks?: true
}

export async function revokeKey(
  invocation: Invocation,
  clientId: string,
  keyId: string,
  options: RevokeOptions = {},
): Promise<Result> {
  const { kind, webhooks } = await withDatabase(invocation, (_database, _config, audit) =>
    revoke(audit, clientId, keyId, options.disableWebhooks === true),
  )
  return {
    json: { clientId, keyId, revoked: true, webhooks },
    lines: [
      `${clientId}: ${kind} ${keyId} and its tokens are revoked; running processes follow within two seconds`,
      ...describeWebhooks(webhooks),
    ],
  }
}

/** Reports are pushed there on: whoever had the credential may have chosen the URL. */
function describeWebhooks(webhooks: RevokedKey['webhooks']): string[] {
  if (webhooks.length === 0) return []
  return [
    'Webhooks whose URL was set with it still get reports while they are enabled; check each, and change or remove it with `postern webhook`:',
    ...webhooks.map(({ id, url, enabled }) => `  ${id}  ${enabled ? 'enabled' : 'disabled'}  ${url}`),
  ]
}

/** Without its number, which is of this cell only. */
function credentialJson(credential: ListedCredential): object {
  return { ...credential, state: stateOf(credential), id: undefined }
}

function stateOf(credential: ListedCredential): string {
  const { revokedAt, endsAt, replacedBy } = credential
  if (revokedAt !== null) return `revoked ${toMinute(revokedAt)}`
  if (!isActive(credential, clock.date())) return `ended ${toMinute(endsAt!)}`
  if (endsAt === null) return 'active'
  return `${replacedBy === null ? 'active' : 'replaced'} until ${toMinute(endsAt)}`
}

function toMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16)}Z`
}
