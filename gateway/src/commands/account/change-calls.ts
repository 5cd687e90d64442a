/** The commands that create and change accounts and their credentials, over the admin API. */
import { families } from '../../accounts/account.ts'
import type { CreateOptions, SettingsOptions } from '../../acts/account-settings.ts'
import type { PasswordOptions, RotateOptions } from '../../acts/rotate.ts'
import { UsageError } from '../errors.ts'
import type { AdminClient, Input } from '../client/client.ts'
import type { Result } from '../result.ts'
import {
  changedResult,
  createdResult,
  erasedResult,
  keyAddedResult,
  keysResult,
  passwordResult,
  revokedResult,
  rotatedResult,
  smppAddedResult,
  tokensRevokedResult,
} from './credential-view.ts'
import type { NewKeyRequest } from '../../acts/credentials.ts'

export type { PasswordOptions, RotateOptions }

export interface AddKeyOptions extends NewKeyRequest {
  readonly smpp?: true
}

export interface RevokeOptions {
  readonly disableWebhooks?: true
}

export async function createAccount(admin: AdminClient, options: CreateOptions): Promise<Result> {
  const { name, clientId } = options
  const body = { name, clientId, ...toSettings(options), ...admin.reason }
  return createdResult(await admin.call('createAccount', { body }))
}

export async function setAccount(
  admin: AdminClient,
  clientId: string,
  options: SettingsOptions,
): Promise<Result> {
  const body = { ...toSettings(options), ...admin.reason }
  const account = await admin.call('setAccount', { params: { clientId }, body })
  return changedResult({ ...account, mayPoll: account.polling })
}

/** In commands words stand for null. */
function toSettings(options: SettingsOptions): Input<'setAccount'>['body'] {
  const { polling, partCounts, reportKeys, lane, weight, eraseAfter, uncertainFallback } = options
  const { smppBinds, smppSystemId, smppReplies } = options
  const limits = families.flatMap((family) => {
    const limit = options[`${family}Limit`]
    return limit === undefined ? [] : [[family, limit === 'default' ? null : limit] as const]
  })
  return {
    ...{ polling, partCounts, reportKeys, weight, uncertainFallback, smppBinds, smppReplies },
    ...(limits.length === 0 ? {} : { limits: Object.fromEntries(limits) }),
    ...(lane === undefined ? {} : { lane: lane === 'by-kind' ? null : lane }),
    ...(eraseAfter === undefined ? {} : { eraseAfterDays: eraseAfter === 'kept' ? null : eraseAfter }),
    ...(smppSystemId === undefined
      ? {}
      : { smppSystemId: smppSystemId === 'client-id' ? null : smppSystemId }),
  }
}

export async function addKey(
  admin: AdminClient,
  clientId: string,
  { name, scopes, days, networks, smpp }: AddKeyOptions,
): Promise<Result> {
  if (name === '') throw new UsageError('--name is missing: over the admin API every key says what it is for')
  const body = {
    ...{ name, days, smpp, ...admin.reason },
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    ...(networks === undefined ? {} : { networks: [...networks] }),
  }
  const { systemId, ...added } = await admin.call('addCredential', { params: { clientId }, body })
  return systemId === null
    ? keyAddedResult(clientId, added)
    : smppAddedResult(clientId, { ...added, systemId })
}

export async function listKeys(admin: AdminClient, clientId: string): Promise<Result> {
  const { credentials } = await admin.call('listCredentials', { params: { clientId } })
  const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text))
  return keysResult(
    clientId,
    credentials.map((credential) => ({
      ...credential,
      ...{ createdAt: new Date(credential.createdAt), endsAt: toDate(credential.endsAt) },
      ...{ revokedAt: toDate(credential.revokedAt), usedAt: toDate(credential.usedAt) },
    })),
  )
}

/** The URLs of webhooks are masked, as everywhere over the admin API. */
export async function revokeKey(
  admin: AdminClient,
  clientId: string,
  keyId: string,
  { disableWebhooks }: RevokeOptions,
): Promise<Result> {
  const query = { disableWebhooks, ...admin.reason }
  return revokedResult(
    clientId,
    keyId,
    await admin.call('revokeCredential', { params: { clientId, keyId }, query }),
  )
}

export async function rotateKey(
  admin: AdminClient,
  clientId: string,
  keyId: string,
  { overlapHours, force }: RotateOptions,
): Promise<Result> {
  const body = { overlapHours, force, ...admin.reason }
  return rotatedResult(clientId, await admin.call('rotateCredential', { params: { clientId, keyId }, body }))
}

export async function changePassword(
  admin: AdminClient,
  clientId: string,
  { overlapHours, force, days, networks }: PasswordOptions,
): Promise<Result> {
  const body = {
    ...{ overlapHours, force, days, ...admin.reason },
    ...(networks === undefined ? {} : { networks: [...networks] }),
  }
  return passwordResult(clientId, await admin.call('changePassword', { params: { clientId }, body }))
}

export async function revokeTokens(admin: AdminClient, clientId: string): Promise<Result> {
  await admin.call('revokeTokens', { params: { clientId }, body: admin.reason })
  return tokensRevokedResult(clientId)
}

export async function eraseRecipient(
  admin: AdminClient,
  clientId: string,
  recipient: string,
): Promise<Result> {
  const body = { recipient, ...admin.requireReason() }
  return erasedResult(clientId, await admin.call('eraseRecipient', { params: { clientId }, body }))
}
