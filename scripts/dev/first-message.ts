// What a newcomer needs in the shell for a first message: where the API is, and a token.

import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { SandboxAccount } from './seed.ts'

export async function issueToken(base: string, account: SandboxAccount): Promise<string> {
  const response = await fetch(`${base}/v1/auth/token`, {
    method: 'POST',
    headers: { 'X-SVC-Client-Id': account.clientId, 'X-SVC-Client-Passwd': account.password },
  })
  const body = (await response.json()) as { code: string; result: string; data?: { token: string } }
  if (body.data === undefined)
    throw new Error(`no token for the sandbox account: ${body.code} ${body.result}`)
  return body.data.token
}

/** Returns the path to source, relative to where the reader stands. */
export function writeEnvironment(folder: string, base: string, token: string): string {
  const file = join(folder, 'env')
  writeFileSync(file, `export POSTERN=${base}\nexport TOKEN=${token}\n`, { mode: 0o600 })
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? file : `./${path}`
}
