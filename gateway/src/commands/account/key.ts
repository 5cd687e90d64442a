/** `postern account key add`, `list` and `revoke`. A key is printed once; only its hash is stored. */
import { addCredential, isActive } from '../../accounts/credential-actions.ts'
import {
  listCredentials,
  revokeCredential,
  type ListedCredential,
} from '../../accounts/credential-queries.ts'
import type { Scope } from '../../accounts/credential.ts'
import { createKey } from '../../accounts/key.ts'
import { syncPasswordHash } from '../../accounts/queries.ts'
import { clock } from '../../platform/clock.ts'
import { disableSetBy, listSetBy } from '../../webhooks/queries.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'
import { withDatabase } from '../connect.ts'
import { changeAccount, requireCredential } from './credential-context.ts'
import { requireAccountId } from './view.ts'

const dayMs = 86_400_000

export interface AddKeyOptions {
  readonly name: string
  readonly scopes?: readonly Scope[]
  readonly days?: number
  readonly networks?: readonly string[]
}

export function addKey(
  invocation: Invocation<'cell'>,
  clientId: string,
  options: AddKeyOptions,
): Promise<Result> {
  return changeAccount(invocation, clientId, async ({ transaction, account, config, act }) => {
    const { keyId, text, hash } = createKey(config.cell)
    const { name, scopes = null, networks = null } = options
    const endsAt = options.days === undefined ? null : new Date(clock.now() + options.days * dayMs)
    const credential = { keyId, kind: 'key', hash, name, scopes, networks, createdBy: act.by } as const
    await addCredential(transaction, account, { ...credential, endsAt }, clock.date())
    const result = {
      json: { clientId, keyId, key: text, endsAt },
      lines: [
        `key id  ${keyId}`,
        `key     ${text}`,
        'The key is not stored and cannot be shown again. Running processes follow within two seconds.',
      ],
    }
    return [result, { target: keyId, details: { name, scopes, networks, endsAt } }]
  })
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

export function revokeKey(
  invocation: Invocation,
  clientId: string,
  keyId: string,
  options: RevokeOptions = {},
): Promise<Result> {
  return changeAccount(invocation, clientId, async ({ transaction, account }) => {
    const { id, kind } = await requireCredential(transaction, account, keyId)
    await revokeCredential(transaction, id)
    if (kind === 'password') await syncPasswordHash(transaction, account.id)
    if (options.disableWebhooks === true) await disableSetBy(transaction, account.id, keyId)
    const webhooks = await listSetBy(transaction, account.id, keyId)
    const result = {
      json: { clientId, keyId, revoked: true, webhooks },
      lines: [
        `${clientId}: ${kind} ${keyId} and its tokens are revoked; running processes follow within two seconds`,
        ...describeWebhooks(webhooks),
      ],
    }
    const details = { kind, disableWebhooks: options.disableWebhooks === true }
    return [result, { target: keyId, details }]
  })
}

/** Reports are pushed there on: whoever had the credential may have chosen the URL. */
function describeWebhooks(webhooks: Awaited<ReturnType<typeof listSetBy>>): string[] {
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
