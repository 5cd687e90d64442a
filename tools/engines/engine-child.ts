// Starts an engine that the caller must stop, for tests whose faults must not affect a shared engine.

import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { toEngineRoot, type EngineProgram } from './engine-root.ts'

/** Runs on this machine, or in the chroot of the chosen release. */
export function spawnEngine(program: EngineProgram, stdio: StdioOptions): ChildProcess {
  const { command, args, env, account } = toEngineRoot(program)
  return spawn(command, args, {
    cwd: '/', // the OS account may lack access to the caller's folder
    stdio,
    ...(env ? { env } : {}),
    ...account,
  })
}
