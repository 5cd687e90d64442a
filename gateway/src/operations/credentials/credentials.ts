/** Keys, SMPP passwords and tokens of an account. A key or password is returned once; only its hash is stored. */
import { getSystemId, type Account } from '../../identity/accounts/account.ts'
import { addCredential, CredentialRefused } from '../../identity/accounts/credential-actions.ts'
import {
  listCredentials,
  readSmppPassword,
  revokeCredential,
  type ListedCredential,
} from '../../identity/accounts/credential-queries.ts'
import type { Scope } from '../../identity/accounts/credential.ts'
import { createKey, createKeyId } from '../../identity/accounts/key.ts'
import { generateSmppPassword, hashPassword } from '../../identity/accounts/password.ts'
import { revokeTokens } from '../../identity/accounts/queries.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { disableWebhooksSetBy, listWebhooksSetBy } from '../../edge/webhooks/queries.ts'
import { lockAccount } from '../find-account.ts'
import type { AuditRecorder, AuditSubject } from '../audit-recorder.ts'
import { notFound, OperationError } from '../errors.ts'
import { maskUrl } from '../webhooks/webhooks.ts'

const dayMs = 86_400_000

/**
 * Runs `work` in a transaction, with the account locked. Throws if the account does not exist. `work` returns
 * its result and what it changed.
 */
export function changeAccount<T>(
  audit: AuditRecorder,
  clientId: string,
  work: (transaction: Transaction, account: Account) => Promise<readonly [T, Omit<AuditSubject, 'account'>]>,
): Promise<T> {
  return audit.change(async (transaction) => {
    const account = await lockAccount(transaction, clientId)
    try {
      const [result, subject] = await work(transaction, account)
      return [result, { ...subject, account: clientId }] as const
    } catch (error) {
      throw error instanceof CredentialRefused ? toOperationError(error) : error
    }
  })
}

function toOperationError({ message, workingUntil }: CredentialRefused): OperationError {
  if (workingUntil === undefined) return new OperationError('refused', message)
  return new OperationError(
    'overlap-running',
    `${message}; wait until then, or set 'force' to revoke the predecessor now`,
    { field: 'force', facts: { until: workingUntil.toISOString() } },
  )
}

export async function requireCredential(
  transaction: Queryable,
  account: Account,
  keyId: string,
): Promise<ListedCredential> {
  const credentials = await listCredentials(transaction, account.id)
  const credential = credentials.find((candidate) => candidate.keyId === keyId)
  if (credential !== undefined) return credential
  throw notFound('key', keyId, { account: account.clientId })
}

export interface KeyRequest {
  readonly name: string
  readonly scopes?: readonly Scope[] | undefined
  readonly days?: number | undefined
  readonly networks?: readonly string[] | undefined
  /** Creates a password for SMPP binds instead of a key. */
  readonly smpp?: boolean
}

export interface AddedKey {
  readonly keyId: string
  /** The key or the SMPP password. Only its hash is stored. */
  readonly key: string
  readonly endsAt: Date | null
  /** The SMPP system_id; `null` for a key. */
  readonly systemId: string | null
}

export function addKey(
  audit: AuditRecorder,
  cell: string,
  clientId: string,
  { name, scopes, networks, days, smpp = false }: KeyRequest,
): Promise<AddedKey> {
  return changeAccount(audit, clientId, async (transaction, account) => {
    const generated = smpp ? await createSmppPassword(transaction, account) : createApiKey(cell)
    const { keyId, kind, key, hash, systemId } = generated
    const endsAt = days === undefined ? null : new Date(clock.now() + days * dayMs)
    const described = { kind, name, scopes: scopes ?? null, networks: networks ?? null, endsAt }
    const credential = { ...described, keyId, hash, createdBy: audit.act.by }
    await addCredential(transaction, account, credential, clock.date())
    return [
      { keyId, key, endsAt, systemId },
      { target: keyId, details: described },
    ]
  })
}

function createApiKey(cell: string) {
  const { keyId, text, hash } = createKey(cell)
  return { keyId, kind: 'key' as const, key: text, hash, systemId: null }
}

/** All SMPP passwords of an account share one salt, so the new one is hashed with the salt of the existing one. */
async function createSmppPassword(transaction: Queryable, account: Account) {
  const systemId = account.smppBinds === 0 ? null : getSystemId(account)
  if (systemId === null)
    throw new OperationError(
      'smpp-disabled',
      `SMPP is disabled for account '${account.clientId}'; allow at least one bind first`,
      { facts: { account: account.clientId } },
    )
  const key = generateSmppPassword()
  const existingPassword = await readSmppPassword(transaction, account.id)
  const hash = await hashPassword(key, existingPassword ?? undefined)
  return { keyId: createKeyId(), kind: 'smpp' as const, key, hash, systemId }
}

export interface RevokedKey {
  readonly kind: ListedCredential['kind']
  /** Webhooks whose URL was set with the key. They are only disabled with `disableWebhooks`. */
  readonly webhooks: Awaited<ReturnType<typeof listWebhooksSetBy>>
}

export function revokeKey(
  audit: AuditRecorder,
  clientId: string,
  keyId: string,
  disableWebhooks: boolean,
): Promise<RevokedKey> {
  return changeAccount(audit, clientId, async (transaction, account) => {
    const { id, kind } = await requireCredential(transaction, account, keyId)
    await revokeCredential(transaction, id)
    if (disableWebhooks) await disableWebhooksSetBy(transaction, account.id, keyId)
    const webhooks = (await listWebhooksSetBy(transaction, account.id, keyId)).map(maskUrl)
    return [
      { kind, webhooks },
      { target: keyId, details: { kind, disableWebhooks } },
    ]
  })
}

export async function revokeAllTokens(audit: AuditRecorder, clientId: string): Promise<void> {
  await changeAccount(audit, clientId, async (transaction) => {
    await revokeTokens(transaction, clientId)
    return [null, { target: clientId }]
  })
}
