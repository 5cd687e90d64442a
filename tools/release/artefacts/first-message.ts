/**
 * Checks that an artefact, given only the URLs of the engines, migrates an empty database, starts, sends one
 * message by SMPP to the simulated carrier, receives its report, and stops on SIGTERM.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startProcess, type Child, type Command } from '../../dev/processes.ts'
import { canSend } from '../../dev/readiness.ts'
import { waitForCondition } from '../../engines/wait-for-condition.ts'
import { choosePorts } from '../../engines/free-ports.ts'
import type { InstalledArtefact } from './installed.ts'
import { createOwnDatabase } from '../../engines/postgres/own-database.ts'
import { seed, simulatorRoute } from './seed.ts'

export async function sendFirstMessage(
  installed: InstalledArtefact,
  folder: string,
  print: (line: string) => void,
): Promise<void> {
  const [api, smsc, control, ops] = await choosePorts(4)
  const database = await createOwnDatabase(required('POSTERN_DATABASE_URL'))
  const environment = {
    ...process.env,
    POSTERN_DATABASE_URL: database.url,
    POSTERN_PRIVILEGED_DATABASE_USER: 'warn',
    POSTERN_QUEUE_PREFIX: `artefact${randomBytes(3).toString('hex')}.`,
    POSTERN_TOKEN_SECRET: randomBytes(32).toString('base64'),
    POSTERN_FILE_FOLDER: join(folder, 'files'),
    POSTERN_HTTP_PORT: String(api),
    POSTERN_OPS_PORT: String(ops),
  }
  const children: Child[] = []
  const start = (name: string, command: Command) => {
    const child = startProcess(name, command, environment, folder, (ended) =>
      print(`the ${ended} exited; see its log in ${folder}`),
    )
    children.push(child)
    return child
  }
  try {
    await start('simulator', [
      ...installed.simulator,
      '--port',
      String(smsc),
      '--control-port',
      String(control),
    ]).untilLine('"ready"')
    print('migrating, creating an account and a route')
    const key = await seed(installed.postern(environment), environment, smsc!)
    const gateway = start('gateway', [...installed.postern(environment), 'all'])
    await within(60, 'the readiness of the gateway', () => isReady(`http://127.0.0.1:${api}`, ops!))
    const base = `http://127.0.0.1:${api}`
    print('sending')
    const msgKey = await send(base, key)
    await within(30, 'the report of the message', () => isDelivered(base, key, msgKey))
    print(`delivered: ${msgKey}`)
    await gateway.stop()
  } finally {
    await Promise.all(children.map((child) => child.stop()))
    await database.drop()
  }
}

/** Reports whether the API responds and the process is linked with the carrier. */
async function isReady(api: string, ops: number): Promise<boolean> {
  const isListening = await fetch(`${api}/v1/`, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  )
  return isListening && (await canSend(`http://127.0.0.1:${ops}`, simulatorRoute))
}

async function send(base: string, key: string): Promise<string> {
  const response = await fetch(`${base}/v1/send/sms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: '0212345678', to: '01000000001', text: 'Hello from Postern', ref: 'first' }),
  })
  const { code, result, msgKey } = (await response.json()) as {
    code: string
    result: string
    msgKey?: string
  }
  if (msgKey === undefined) throw new Error(`the message was rejected: ${code} ${result}`)
  return msgKey
}

async function isDelivered(base: string, key: string, msgKey: string): Promise<boolean> {
  const response = await fetch(`${base}/v1/report/inquiry/${msgKey}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { data } = (await response.json()) as { data?: { report: { reportCode: string }[] } }
  const [report] = data?.report ?? []
  if (report !== undefined && report.reportCode !== '10000')
    throw new Error(`unexpected report code ${report.reportCode}`)
  return report !== undefined
}

async function within(seconds: number, event: string, condition: () => Promise<boolean>): Promise<void> {
  if (!(await waitForCondition(seconds * 1000, condition)))
    throw new Error(`${event} did not arrive within ${seconds} s`)
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set; run \`npm run suite -- artefacts\``)
  return value
}
