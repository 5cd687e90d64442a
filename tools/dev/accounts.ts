// Creates the sandbox accounts of a development database with `postern demo`. Their keys are shown once, so
// they are stored next to the logs.

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
  const storedKey = existsSync(keyFile) ? readFileSync(keyFile, 'utf8') : null
  if (demo['key'] === null && storedKey !== null) return storedKey
  const { key } =
    demo['key'] === null
      ? await run(['account', 'key', 'add', clientId, '--name', 'development'], operatorKey)
      : demo
  writeFileSync(keyFile, String(key), { mode: 0o600 })
  return String(key)
}
