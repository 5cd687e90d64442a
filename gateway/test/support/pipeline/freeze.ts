/**
 * Runs work in a child process that is stopped in the middle of it, as by SIGSTOP, a debugger or a paused
 * machine.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addCleanup } from '../cleanup.ts'
import { waitFor } from '../wait.ts'

const script = join(import.meta.dirname, 'frozen-holder.ts')

export interface FrozenProcess {
  /** False if the work ended before that many statements were executed. */
  readonly frozen: boolean
  kill(): void
}

/**
 * Resolves when the process is stopped: PostgreSQL has responded to the given number of statements, and no
 * further one is sent.
 */
export async function freezeDuring(
  work: 'sweep' | 'make a day' | 'drop days' | 'migrate',
  url: string,
  statements: number,
): Promise<FrozenProcess> {
  const child = spawn(process.execPath, [script, url, work, String(statements)], { stdio: 'inherit' })
  const kill = (): void => void child.kill('SIGKILL')
  addCleanup(kill)
  const state = (): string => {
    if (child.exitCode !== null) return 'Z'
    // The state follows the name of the program, which is in parentheses.
    return readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]![0]!
  }
  const frozen = await waitFor(`a process that stops during: ${work}`, () => /[TZ]/.exec(state())?.[0], {
    timeoutMs: 30_000,
  })
  return { frozen: frozen === 'T', kill }
}
