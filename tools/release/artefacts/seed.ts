/**
 * Prepares an empty database for a first message over SMPP: the schema, a route to the simulated carrier, an
 * account and its key.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Command } from '../../dev/processes.ts'

export const simulatorRoute = 'simulator'

const run = promisify(execFile)

/** Returns the API key of the account. `program` runs the gateway's commands. */
export async function seed(
  program: Command,
  environment: NodeJS.ProcessEnv,
  smscPort: number,
): Promise<string> {
  const postern = async (...args: string[]): Promise<Record<string, string>> => {
    const { stdout } = await run(program[0], [...program.slice(1), ...args, '--json'], { env: environment })
    return JSON.parse(stdout) as Record<string, string>
  }
  await postern('migrate')
  // Without the rules, the sender of the message needs no registration.
  await postern('trust', 'disable', 'all', '--reason', 'first message')
  const options = {
    host: '127.0.0.1',
    port: smscPort,
    systemId: 'postern',
    password: 'postern',
    receiptUtcOffsetMinutes: 0,
  }
  await postern(
    ...['route', 'put', simulatorRoute, '--protocol', 'smpp', '--channels', 'sms'],
    ...['--options', JSON.stringify(options)],
  )
  await postern('account', 'create', '--name', 'First account', '--client-id', 'first')
  const { key } = await postern('account', 'key', 'add', 'first', '--name', 'first message')
  return key!
}
