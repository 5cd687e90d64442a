// Prepares the console for `npm run dev`: its build, example messages in the sandbox, and a sign-in link.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openSignInLink } from './console-sign-in.ts'
import type { DevelopmentOperator, RunJson } from './operator.ts'
import type { Command } from './processes.ts'
import { startTraffic } from './traffic.ts'
import { print } from '../engines/print.ts'

const run = promisify(execFile)

/** Continues without a console if the build fails: the API works without it. */
export async function buildConsole(root: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  await run(process.execPath, [vite, 'build', 'console', '--logLevel', 'error'], { cwd: root }).catch(
    (error: unknown) => print(`building the console failed: ${(error as Error).message}`),
  )
}

export function createRunJson([file, ...first]: Command, environment: NodeJS.ProcessEnv): RunJson {
  return async (args, key) => {
    const env = key === undefined ? environment : { ...environment, POSTERN_OPERATOR_KEY: key }
    const { stdout } = await run(file, [...first, ...args, '--json'], { env })
    return JSON.parse(stdout) as Record<string, unknown>
  }
}

export interface PreparedConsole {
  readonly operator: DevelopmentOperator
  readonly operatorFile: string
  /** API key of the account that sends the example messages. */
  readonly apiKey: string
}

export interface Addresses {
  /** URL of the API. */
  readonly base: string
  /** URL of the admin API and the console. */
  readonly admin: string
  readonly signInPort: number
}

export interface OpenedConsole {
  readonly link: string
  close(): void
}

/** Starts the sign-in link and the example messages. Call it after the gateway accepts messages. */
export async function openConsole(
  { apiKey, ...prepared }: PreparedConsole,
  { base, admin, signInPort }: Addresses,
  report: (problem: string) => void,
): Promise<OpenedConsole> {
  const link = await openSignInLink({ ...prepared, base: admin }, signInPort)
  const traffic = await startTraffic({ base, token: apiKey }, report).catch((error: unknown) =>
    report((error as Error).message),
  )
  return {
    link: link.url,
    close() {
      traffic?.stop()
      link.close()
    },
  }
}
