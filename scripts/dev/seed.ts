// What a development database needs: the schema, a sandbox account, a route to the simulated carrier. Run again
// it keeps what is there; the account's password is remembered beside the logs.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../services/places.ts'

export interface SandboxAccount {
  readonly clientId: string
  readonly password: string
}

const run = promisify(execFile)

export async function seed(
  environment: NodeJS.ProcessEnv,
  smscPort: number,
  accountFile: string,
): Promise<SandboxAccount> {
  const postern = (...args: string[]): Promise<{ stdout: string }> =>
    run(process.execPath, [join(projectRoot, 'gateway/src/main.ts'), ...args], { env: environment })
  await postern('migrate')
  const options = {
    host: '127.0.0.1',
    port: smscPort,
    systemId: 'postern',
    password: 'sandbox',
    window: 100,
    errors: { '001': 'no-subscriber', '003': 'phone-off', '006': 'spam' },
  }
  await postern(
    'route',
    'put',
    'sandbox',
    '--channels',
    'sms,international',
    '--options',
    JSON.stringify(options),
  )
  const rich = 'mms,rcs,alimtalk,friendtalk,brandmessage'
  await postern('route', 'put', 'sandbox-rich', '--protocol', 'sandbox', '--channels', rich)
  const { stdout } = await postern('account', 'list')
  if (existsSync(accountFile)) {
    const known = JSON.parse(readFileSync(accountFile, 'utf8')) as SandboxAccount
    if (stdout.includes(`${known.clientId} `)) return known
  }
  const created = await postern('account', 'create', '--name', 'Sandbox', '--part-counts', '--json')
  const account = JSON.parse(created.stdout) as SandboxAccount
  writeFileSync(accountFile, JSON.stringify(account), { mode: 0o600 })
  return account
}
