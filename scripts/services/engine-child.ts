// An engine that ends with the script which starts it: tests start one of their own for what must not happen to a shared one.

import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { confined, type Program } from './engine-root.ts'

/** Started where all engines are: on the machine, or in the root of the chosen release. */
export function spawnEngine(program: Program, stdio: StdioOptions): ChildProcess {
  const { command, args, env, account } = confined(program)
  return spawn(command, args, {
    cwd: '/', // the caller's folder may be closed to the account
    stdio,
    ...(env ? { env } : {}),
    ...account,
  })
}
