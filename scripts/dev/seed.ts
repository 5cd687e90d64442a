// What a development database needs: the schema, an account and routes for every channel. A second run keeps what is
// there; the account's password is kept beside the logs.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Command } from './processes.ts'

export interface DevelopmentAccount {
  readonly clientId: string
  readonly password: string
}

/** The route over SMPP to the simulated carrier. */
export const simulatorRoute = 'simulator'
/** The route of the built-in sandbox connector, for the channels that the simulated carrier does not have. */
const sandboxRoute = 'sandbox'

const run = promisify(execFile)

/** `program` is how the gateway's commands are run. */
export async function seed(
  program: Command,
  environment: NodeJS.ProcessEnv,
  smscPort: number,
  accountFile: string,
): Promise<DevelopmentAccount> {
  const postern = (...args: string[]): Promise<{ stdout: string }> =>
    run(program[0], [...program.slice(1), ...args], { env: environment })
  const putRoute = (id: string, protocol: string, channels: string, options: object): Promise<unknown> =>
    postern(
      ...['route', 'put', id, '--protocol', protocol, '--channels', channels],
      ...['--options', JSON.stringify(options)],
    )
  await postern('migrate')
  // For development any number may send; docs/trust.md lists the rules.
  await postern('trust', 'disable', 'all', '--reason', 'development')
  await putRoute(simulatorRoute, 'smpp', 'sms,international', {
    host: '127.0.0.1',
    port: smscPort,
    systemId: 'postern',
    // At most 8 characters, as SMPP has it; the simulator accepts any.
    password: 'postern',
    window: 100,
    // The simulator writes the times of its receipts in UTC.
    receiptUtcOffsetMinutes: 0,
    errors: { '001': 'no-subscriber', '003': 'phone-off', '006': 'spam' },
  })
  await putRoute(sandboxRoute, 'sandbox', 'mms,rcs,alimtalk,friendtalk,brandmessage', {})
  const { stdout } = await postern('account', 'list')
  if (existsSync(accountFile)) {
    const known = JSON.parse(readFileSync(accountFile, 'utf8')) as DevelopmentAccount
    if (stdout.includes(`${known.clientId} `)) return known
  }
  const created = await postern('account', 'create', '--name', 'Development', '--part-counts', '--json')
  const account = JSON.parse(created.stdout) as DevelopmentAccount
  writeFileSync(accountFile, JSON.stringify(account), { mode: 0o600 })
  return account
}
