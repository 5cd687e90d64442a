// Starts a process of an installation, from the repository or an installed artefact. Its output goes to a log
// file, and the caller can wait for a line.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Command = readonly [string, ...string[]]

/** Lines that `untilLine` finds although they were printed before the call. */
const keptLines = 200

export interface Child {
  /** Resolves at the first line that contains the text; rejects if the process exits first. */
  untilLine(text: string): Promise<void>
  stop(): Promise<void>
}

export function startProcess(
  name: string,
  command: Command,
  environment: NodeJS.ProcessEnv,
  logs: string,
  onExit: (name: string) => void,
): Child {
  const [program, ...args] = command
  const child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const file = createWriteStream(join(logs, `${name}.log`))
  const lines: string[] = []
  const listeners = new Set<(line: string) => void>()
  const take = (line: string): void => {
    file.write(`${line}\n`)
    lines.push(line)
    if (lines.length > keptLines) lines.shift()
    for (const listener of listeners) listener(line)
  }
  createInterface(child.stdout).on('line', take)
  createInterface(child.stderr).on('line', take)
  let stopping = false
  const exited = once(child, 'exit')
  void exited.then(() => {
    if (!stopping) onExit(name)
  })
  return {
    async untilLine(text) {
      if (lines.some((line) => line.includes(text))) return
      const found = Promise.withResolvers<boolean>()
      const listener = (line: string): void => {
        if (line.includes(text)) found.resolve(true)
      }
      listeners.add(listener)
      const isReady = await Promise.race([found.promise, exited.then(() => false)])
      listeners.delete(listener)
      if (!isReady) throw new Error(`The ${name} did not start:\n${lines.slice(-5).join('\n')}`)
    },
    async stop() {
      stopping = true
      if (child.exitCode === null) child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await exited
    },
  }
}
