/**
 * One bash for the blocks of a page: variables and the current folder persist between blocks, as in a
 * terminal. A failing command ends the shell. Stopping the shell ends everything that its blocks have left
 * running.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { waitForCondition } from '../../engines/wait-for-condition.ts'

// Packages are installed from the network, on a machine that may be busy.
const blockWithinMs = 600_000
const stopWithinMs = 40_000

export interface Shell {
  /** Runs a block to its end and returns its output. Throws the output if a command fails. */
  run(code: string): Promise<string>
  /**
   * Runs a block that may be repeated: a failing command ends the block instead of the shell, and the block
   * changes no variable.
   */
  attempt(code: string): Promise<{ readonly printed: string; readonly failed: boolean }>
  /** Starts a block, and returns its output when it has printed the text. */
  start(code: string, until: string): Promise<string>
  stop(): Promise<void>
}

export function openShell(cwd: string, environment: NodeJS.ProcessEnv, scratch: string): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env: environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const markers = createInterface(child.stdout)
  let count = 0
  const write = (text: string): void => void child.stdin.write(text)
  write('set -eo pipefail\n')

  const save = (code: string): { script: string; output: string } => {
    count += 1
    const script = join(scratch, `${child.pid}-${count}.sh`)
    writeFileSync(script, code)
    return { script, output: join(scratch, `${child.pid}-${count}.out`) }
  }
  /** Resolves with the word after `done`. */
  const execute = async (output: string, lines: string): Promise<{ word: string; printed: string }> => {
    const answered = once(markers, 'line').then(([line]) => String(line).slice('done '.length))
    write(lines)
    const late = once(AbortSignal.timeout(blockWithinMs), 'abort').then(() => 'late')
    const word = await Promise.race([answered, ended.then(() => 'ended'), late])
    const printed = existsSync(output) ? readFileSync(output, 'utf8') : ''
    if (word === 'late') throw new Error(`timed out after ${blockWithinMs / 1000} s; output:\n${printed}`)
    return { word, printed }
  }
  return {
    async run(code) {
      const { script, output } = save(code)
      const { word, printed } = await execute(
        output,
        `{ . '${script}'; } > '${output}' 2>&1 < /dev/null\necho 'done 0'\n`,
      )
      if (word !== '0') throw new Error(`a command failed; output:\n${printed}`)
      return printed
    },
    async attempt(code) {
      const { script, output } = save(code)
      const inner = `( set -e; . '${script}' ) > '${output}' 2>&1 < /dev/null`
      const { word, printed } = await execute(output, `set +e\n${inner}\necho "done $?"\nset -e\n`)
      return { printed, failed: word !== '0' }
    },
    async start(code, until) {
      const { script, output } = save(code)
      write(`{ . '${script}'; } > '${output}' 2>&1 < /dev/null &\n`)
      const printed = (): string => (existsSync(output) ? readFileSync(output, 'utf8') : '')
      if (!(await waitForCondition(blockWithinMs, () => Promise.resolve(printed().includes(until)))))
        throw new Error(`'${until}' did not appear within ${blockWithinMs / 1000} s; output:\n${printed()}`)
      return printed()
    },
    async stop() {
      if (child.exitCode === null) child.stdin.end()
      signalGroup(child, 'SIGTERM')
      if (!(await waitForCondition(stopWithinMs, () => Promise.resolve(!signalGroup(child, 0)))))
        signalGroup(child, 'SIGKILL')
    },
  }
}

/** Sends a signal to the processes of the shell; 0 only checks. Returns false if none is left. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-child.pid!, signal)
    return true
  } catch {
    return false
  }
}
