// The operator of a development installation: an admin with a key for commands and a password for the
// console. It is created only in a database on this machine without other operators: `npm run dev` must not
// open an installation that others use.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'

export interface DevelopmentOperator {
  readonly name: string
  /** The database that contains this operator. */
  readonly database: string
  readonly key: string
  /** Null before the first sign-in to the console. */
  readonly login: OperatorLogin | null
}

export interface OperatorLogin {
  readonly password: string
  readonly totpSecret: string
  /** Time step of the last used code; each code is valid once. */
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

/** Returns null if the database is not on this machine or has other operators. */
export async function ensureOperator(
  run: RunJson,
  databaseUrl: string,
  file: string,
): Promise<DevelopmentOperator | null> {
  if (!isLoopback(databaseUrl)) return null
  const stored = readOperator(file)
  if (stored !== null && (await isValidKey(run, stored.key))) return stored
  const database = identifyDatabase(databaseUrl)
  // An operator of the same name that this command did not create belongs to someone else and is never taken
  // over.
  const added = await add(run)
  const first = added ?? (stored?.database === database ? await recover(run) : null)
  if (first === null) return null
  // The first key was created by another command: replace it before anything else.
  const { key } = await run(['operator', 'key', 'rotate'], first)
  // A recovered operator keeps the password and the second factor, which no operator can reset alone.
  const login = added === null ? (stored?.login ?? null) : null
  const operator = { name: operatorName, database, key: String(key), login }
  saveOperator(file, operator)
  return operator
}

async function isValidKey(run: RunJson, key: string): Promise<boolean> {
  return run(['operator', 'list'], key).then(
    ({ items }) => (items as readonly { name: string }[]).some(({ name }) => name === operatorName),
    () => false,
  )
}

/** Returns null if the command fails, as it does if operators exist. */
function add(run: RunJson): Promise<string | null> {
  return runForKey(run, ['operator', 'add', operatorName, '--role', 'admin', ...reason])
}

/** Recovers an operator whose key no longer works. */
function recover(run: RunJson): Promise<string | null> {
  return runForKey(run, ['operator', 'recover', operatorName, ...reason])
}

function runForKey(run: RunJson, command: readonly string[]): Promise<string | null> {
  return run(command).then(
    ({ key }) => String(key),
    () => null,
  )
}

/** Returns the host and the name of the database. The password must not be stored in another file. */
function identifyDatabase(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return host + pathname
}

/** Connection parameters that override the host of the URL. */
const hostParameters = ['host', 'hostaddr']

export function isLoopback(url: string): boolean {
  const { hostname, searchParams } = new URL(url)
  if ([...searchParams.keys()].some((name) => hostParameters.includes(name.toLowerCase()))) return false
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
