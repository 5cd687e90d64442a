// The operator of a development installation: an admin with a key for commands and a password for the console. Only for a database on this
// machine whose operators are all of this command: `npm run dev` must not let anybody into an installation that others use.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'

export interface DevelopmentOperator {
  readonly name: string
  /** The database that it is an operator of. */
  readonly database: string
  readonly key: string
  /** For the console; empty before the first sign-in. */
  readonly password: string
  readonly totpSecret: string
  /** Step of the last code that was used: each counts once. */
  readonly totpStep: number
}

/** Runs a command of the gateway and returns its JSON. */
export type RunJson = (args: readonly string[], key?: string) => Promise<Readonly<Record<string, unknown>>>

export const operatorName = 'developer'
const reason = ['--reason', 'development'] as const

export function readOperator(file: string): DevelopmentOperator | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DevelopmentOperator) : null
}

export function saveOperator(file: string, operator: DevelopmentOperator): void {
  writeFileSync(file, JSON.stringify(operator), { mode: 0o600 })
}

/** Null where the database is not on this machine, or has operators of others. */
export async function ensureOperator(
  run: RunJson,
  databaseUrl: string,
  file: string,
): Promise<DevelopmentOperator | null> {
  if (!isLoopback(databaseUrl)) return null
  const known = readOperator(file)
  if (known !== null && (await works(run, known.key))) return known
  const database = nameOf(databaseUrl)
  // An operator of the same name that this command has not made is somebody's: it is never taken over.
  const first = (await add(run)) ?? (known?.database === database ? await recover(run) : null)
  if (first === null) return null
  // A key that somebody else made must be replaced before anything else.
  const { key } = await run(['operator', 'key', 'rotate'], first)
  const operator = {
    name: operatorName,
    database,
    key: String(key),
    password: '',
    totpSecret: '',
    totpStep: 0,
  }
  saveOperator(file, operator)
  return operator
}

async function works(run: RunJson, key: string): Promise<boolean> {
  return run(['operator', 'list'], key).then(
    ({ items }) => (items as readonly { name: string }[]).some(({ name }) => name === operatorName),
    () => false,
  )
}

/** Null: there are operators already. */
function add(run: RunJson): Promise<string | null> {
  return keyBy(run, ['operator', 'add', operatorName, '--role', 'admin', ...reason])
}

/** For a key that does not work any more. */
function recover(run: RunJson): Promise<string | null> {
  return keyBy(run, ['operator', 'recover', operatorName, ...reason])
}

function keyBy(run: RunJson, command: readonly string[]): Promise<string | null> {
  return run(command).then(
    ({ key }) => String(key),
    () => null,
  )
}

/** Without the password, which has no place in another file. */
function nameOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return host + pathname
}

/** Parameters of a connection that name another host than the address does. */
const hostParameters = ['host', 'hostaddr']

export function isLoopback(url: string): boolean {
  const { hostname, searchParams } = new URL(url)
  if ([...searchParams.keys()].some((name) => hostParameters.includes(name.toLowerCase()))) return false
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
