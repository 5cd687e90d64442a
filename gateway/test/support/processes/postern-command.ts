/**
 * Runs operator commands (`postern …`) in a child process; commands that only prepare a test run in a thread.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Credentials } from './account-client.ts'
import { runInThread } from './command-thread.ts'
import type { Environment } from './environment.ts'
import { inherited, projectRoot } from './program.ts'
import { forgetExited, killAtExit } from './process-cleanup.ts'

const run = promisify(execFile)

export type { Environment }

export function postern(environment: Environment, ...args: string[]): Promise<string> {
  return posternIn(projectRoot, environment, ...args)
}

/** Runs a command of another checkout. */
export async function posternIn(root: string, environment: Environment, ...args: string[]): Promise<string> {
  const running = run(process.execPath, [join(root, 'gateway/src/main.ts'), ...args], {
    env: { ...inherited(), ...environment },
    timeout: 120_000,
  })
  const pid = running.child.pid ?? 0
  killAtExit(pid)
  try {
    return (await running).stdout
  } finally {
    forgetExited(pid)
  }
}

/**
 * Runs a command that prepares a test: in a thread, or in a process if the checkout or the libraries differ
 * from those of the test.
 */
export function prepareIn(root: string, environment: Environment, ...args: string[]): Promise<string> {
  if (root !== projectRoot || environment.LD_PRELOAD !== undefined)
    return posternIn(root, environment, ...args)
  return runInThread({ environment: { ...environment }, args })
}

/**
 * Creates an account without limits, because tests send as fast as they can. `flags` are options such as
 * `--part-counts` or `--limits-send 5`.
 */
export function createAccount(
  environment: Environment,
  name: string,
  ...flags: string[]
): Promise<Credentials> {
  return createAccountIn(projectRoot, environment, name, ...flags)
}

export async function createAccountIn(
  root: string,
  environment: Environment,
  name: string,
  ...flags: string[]
): Promise<Credentials> {
  const unlimited = ['send', 'report', 'file', 'form'].flatMap((family) => [`--limits-${family}`, '0'])
  const output = await prepareIn(
    root,
    { ...environment, POSTERN_NEW_ACCOUNT_DAY_CAP: '0' },
    ...['account', 'create', '--json', '--name', name, ...unlimited, ...flags],
  )
  return JSON.parse(output) as Credentials
}

export interface LedgerTotal {
  readonly accepted: number
  readonly final: number
  readonly inFlight: number
  readonly gap: number
}

export async function readLedger(environment: Environment): Promise<LedgerTotal> {
  // The exit code is 1 when there is a gap; the numbers are on stdout in either case.
  const output = await postern(environment, 'ledger', 'check', '--json').catch((error: unknown) => {
    const { stdout } = error as { stdout?: string }
    if (stdout?.startsWith('{') === true) return stdout
    throw error
  })
  const { accounts, differences } = JSON.parse(output) as {
    accounts: readonly LedgerTotal[]
    differences: { messages: number }
  }
  const sum = (name: keyof LedgerTotal): number =>
    accounts.reduce((total, account) => total + account[name], 0)
  return {
    accepted: sum('accepted'),
    final: sum('final'),
    inFlight: sum('inFlight'),
    gap: differences.messages,
  }
}
