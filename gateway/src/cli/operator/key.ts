/** Implements `postern operator key rotate` and `postern operator recover`. A key is printed once. */
import * as operatorKeys from '../../operations/operators/keys.ts'
import type { KeyOptions } from '../../operations/operators/operators.ts'
import { printedKeyNote } from '../../identity/operators/key.ts'
import type { AdminClient } from '../client/client.ts'
import { profilesPath, replaceKey } from '../client/profiles.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { renderData } from '../render.ts'
import type { Result } from '../result.ts'

export type { KeyOptions }

/** Writes the new key to the profile of the old one, which is no longer valid. */
export async function rotateOwnKey(admin: AdminClient, { days }: KeyOptions): Promise<Result> {
  const json = await admin.call('rotateOwnKey', { body: { days, ...admin.reason } })
  const lines = [...renderData(json), printedKeyNote]
  const { profile } = admin
  if (profile === null) return { json, lines }
  try {
    replaceKey(profile, json.key)
    return { json, lines: [...lines, `Profile '${profile}' now uses it (${profilesPath()}).`] }
  } catch (error) {
    // Print the key even if the profile cannot be written.
    const next = `Profile '${profile}' still has the old key: ${(error as Error).message}. Sign in again with the new one: \`postern login\``
    return { json, lines: [...lines, next], failed: true }
  }
}

export function recoverKey(invocation: Invocation, name: string, options: KeyOptions): Promise<Result> {
  return withDatabase(invocation, async (_database, _config, audit) => {
    const { keyId, text: key, endsAt } = await operatorKeys.recoverKey(audit, name, options)
    const json = { name, keyId, key, endsAt: endsAt?.toISOString() ?? null }
    return { json, lines: [...renderData(json), printedKeyNote] }
  })
}
