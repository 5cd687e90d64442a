/** What commands of accounts and their credentials print, over either way. Pure. */
import { isActive } from '../../accounts/credential-actions.ts'
import type { ListedCredential } from '../../accounts/credential-queries.ts'
import type { AccountSettings } from '../../accounts/account.ts'
import type { CreatedAccount } from '../../acts/account-settings.ts'
import { clock } from '../../platform/clock.ts'
import { table, timeText, type Result } from '../result.ts'
import { accountJson, describeSettings } from './view.ts'

type Time = Date | string

export function createdResult({ clientId, password, dayCap }: CreatedAccount): Result {
  return {
    json: { clientId, password, dayCap },
    lines: [
      `client id  ${clientId}`,
      `password   ${password}`,
      'The password is not stored and cannot be shown again.',
      ...(dayCap === null
        ? []
        : [
            `The account sends at most ${dayCap} messages per day; raise that with \`postern protection cap ${clientId} --day N --reason …\`.`,
          ]),
    ],
  }
}

export function changedResult(account: Parameters<typeof accountJson>[0] & AccountSettings): Result {
  return {
    json: accountJson(account),
    lines: [`${account.clientId}: ${describeSettings(account)}; running processes follow within two seconds`],
  }
}

interface AddedKey {
  readonly keyId: string
  readonly key: string
  readonly endsAt: Time | null
}

const keptNowhere = (what: string): string =>
  `The ${what} is not stored and cannot be shown again. Running processes follow within two seconds.`

export function keyAddedResult(clientId: string, { keyId, key, endsAt }: AddedKey): Result {
  return {
    json: { clientId, keyId, key, endsAt },
    lines: [`key id  ${keyId}`, `key     ${key}`, keptNowhere('key')],
  }
}

export function smppAddedResult(
  clientId: string,
  { keyId, key, endsAt, systemId }: AddedKey & { readonly systemId: string },
): Result {
  return {
    json: { clientId, keyId, systemId, password: key, endsAt },
    lines: [`key id     ${keyId}`, `system id  ${systemId}`, `password   ${key}`, keptNowhere('password')],
  }
}

export type ShownCredential = Omit<ListedCredential, 'id'>

export function keysResult(clientId: string, credentials: readonly ShownCredential[]): Result {
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
      credentials: credentials.map(toJson),
    },
    lines: table([head, ...rows]),
  }
}

/** Without its number, which is of this cell only; its state says whether it is active. */
function toJson(credential: ShownCredential): object {
  return { ...credential, state: stateOf(credential), id: undefined, active: undefined }
}

function stateOf(credential: ShownCredential): string {
  const { revokedAt, endsAt, replacedBy } = credential
  if (revokedAt !== null) return `revoked ${toMinute(revokedAt)}`
  if (!isActive(credential, clock.date())) return `ended ${toMinute(endsAt!)}`
  if (endsAt === null) return 'active'
  return `${replacedBy === null ? 'active' : 'replaced'} until ${toMinute(endsAt)}`
}

const toMinute = (time: Date): string => `${time.toISOString().slice(0, 16)}Z`

export interface Revoked {
  readonly kind: ListedCredential['kind']
  readonly webhooks: readonly { readonly id: string; readonly url: string; readonly enabled: boolean }[]
}

export function revokedResult(clientId: string, keyId: string, { kind, webhooks }: Revoked): Result {
  return {
    json: { clientId, keyId, revoked: true, webhooks },
    lines: [
      `${clientId}: ${kind} ${keyId} and its tokens are revoked; running processes follow within two seconds`,
      ...describeWebhooks(webhooks),
    ],
  }
}

/** Reports are pushed there on: whoever had the credential may have chosen the URL. */
function describeWebhooks(webhooks: Revoked['webhooks']): string[] {
  if (webhooks.length === 0) return []
  return [
    'Webhooks whose URL was set with it still get reports while they are enabled; check each, and change or remove it with `postern webhook`:',
    ...webhooks.map(({ id, url, enabled }) => `  ${id}  ${enabled ? 'enabled' : 'disabled'}  ${url}`),
  ]
}

export function rotatedResult(
  clientId: string,
  rotated: { readonly keyId: string; readonly key: string; readonly previousUntil: Time | null },
): Result {
  const { keyId, key, previousUntil } = rotated
  return {
    json: { clientId, keyId, key, previousUntil },
    lines: [
      `key id  ${keyId}`,
      `key     ${key}`,
      'The key is not stored and cannot be shown again.',
      describePrevious('key', previousUntil),
    ],
  }
}

export interface ChangedPassword {
  readonly keyId: string
  readonly password: string
  readonly previousUntil: Time | null
  readonly endsAt: Time | null
}

export function passwordResult(clientId: string, changed: ChangedPassword): Result {
  const { keyId, password, previousUntil, endsAt } = changed
  return {
    json: { clientId, keyId, password, previousUntil, endsAt },
    lines: [
      `password  ${password}`,
      'The password is not stored and cannot be shown again.',
      describePrevious('password', previousUntil),
    ],
  }
}

function describePrevious(what: string, until: Time | null): string {
  return until === null
    ? `The previous ${what} and its tokens are refused; running processes follow within two seconds.`
    : `The previous ${what} works until ${timeText(until)}. If it has leaked, end it with \`postern account key revoke\`.`
}

export function tokensRevokedResult(clientId: string): Result {
  return {
    json: { clientId, revoked: true },
    lines: [`${clientId}: all its tokens are revoked; running processes follow within two seconds`],
  }
}

export interface Erased {
  readonly erased: number
  readonly open: number
  readonly files: number
  readonly replies: number
  readonly parked: readonly number[]
}

export function erasedResult(clientId: string, { erased, open, files, replies, parked }: Erased): Result {
  const lines = [`${clientId}: text and recipient of ${erased} messages are erased`]
  if (files > 0) lines.push(`${files} images that only these messages used are deleted within an hour`)
  if (replies > 0) lines.push(`${replies} replies of the number are deleted`)
  if (open > 0) lines.push(`${open} messages are still open; run this command again after they are closed`)
  if (parked.length > 0)
    lines.push(
      `parked jobs name the number: ${parked.join(', ')}; retry or drop them (\`postern parked\`), then run this command again`,
    )
  return { json: { clientId, erased, open, files, replies, parked }, lines }
}
