/** `postern token-key` over the admin API. */
import type { AdminClient } from '../client/client.ts'
import type { Result } from '../result.ts'
import { keysResult, rotatedResult } from './token-key-view.ts'

export interface RotateTokenKeyOptions {
  readonly leaked?: true
}

export async function rotateKey(
  admin: AdminClient,
  { leaked }: { readonly leaked?: boolean },
): Promise<Result> {
  const body = { leaked: leaked === true, ...admin.reason }
  return rotatedResult(await admin.call('rotateTokenKey', { body }))
}

export async function listRing(admin: AdminClient): Promise<Result> {
  return keysResult(await admin.readAll((page) => admin.call('listTokenKeys', { query: page })))
}
