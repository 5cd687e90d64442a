// The sandbox accounts of a development database, made by `postern demo`. Their keys are kept beside the logs, because each is shown once.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { RunJson } from './operator.ts'

/** Returns the API key of the account. */
export async function ensureAccount(
  run: RunJson,
  clientId: string,
  keyFile: string,
  operatorKey?: string,
): Promise<string> {
  const demo = await run(['demo', '--client-id', clientId], operatorKey)
  const known = existsSync(keyFile) ? readFileSync(keyFile, 'utf8') : null
  if (demo['key'] === null && known !== null) return known
  const { key } =
    demo['key'] === null
      ? await run(['account', 'key', 'add', clientId, '--name', 'development'], operatorKey)
      : demo
  writeFileSync(keyFile, String(key), { mode: 0o600 })
  return String(key)
}
