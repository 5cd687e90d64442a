/** `postern account key add`, `list` and `revoke`. A key is printed once; only its hash is stored. */
import { listCredentials } from '../../accounts/credential-queries.ts'
import {
  addKey as add,
  addSmppPassword,
  revokeKey as revoke,
  type NewKeyRequest,
} from '../../acts/credentials.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { withDatabase } from '../connect.ts'
import { keyAddedResult, keysResult, revokedResult, smppAddedResult } from './credential-view.ts'
import { requireAccountId } from './view.ts'

export interface AddKeyOptions extends NewKeyRequest {
  readonly smpp?: true
}

export async function addKey(
  invocation: Invocation<'cell'>,
  clientId: string,
  { smpp, ...options }: AddKeyOptions,
): Promise<Result> {
  if (smpp === true) {
    const password = await withDatabase(invocation, (_database, _config, audit) =>
      addSmppPassword(audit, clientId, options),
    )
    return smppAddedResult(clientId, password)
  }
  const key = await withDatabase(invocation, (_database, { cell }, audit) =>
    add(audit, cell, clientId, options),
  )
  return keyAddedResult(clientId, key)
}

export function listKeys(invocation: Invocation, clientId: string): Promise<Result> {
  return withDatabase(invocation, async (database) => {
    const credentials = await listCredentials(database, await requireAccountId(database, clientId))
    return keysResult(clientId, credentials)
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
  const revoked = await withDatabase(invocation, (_database, _config, audit) =>
    revoke(audit, clientId, keyId, options.disableWebhooks === true),
  )
  return revokedResult(clientId, keyId, revoked)
}
