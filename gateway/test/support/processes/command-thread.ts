/**
 * Runs commands that prepare a test in a thread that keeps their code loaded, because starting a process for
 * each is slow. Tests of a command itself start a process; see `postern-command.ts`.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Environment } from './environment.ts'

export interface CommandLine {
  readonly environment: Environment
  readonly args: readonly string[]
}

export interface CommandOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

const timeoutMs = 120_000
let worker: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/** Runs one command at a time. Fails as `execFile` does. */
export function runInThread(line: CommandLine): Promise<string> {
  const running = last.then(() => execute(line))
  last = running.catch(() => undefined)
  return running
}

async function execute(line: CommandLine): Promise<string> {
  worker ??= new Worker(new URL('./command-worker.ts', import.meta.url), {
    env: {},
    workerData: process.env.NODE_COMPILE_CACHE,
  })
  // Keeps the process alive only while a command runs.
  worker.ref()
  try {
    const response = once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })
    worker.postMessage(line)
    const [{ exitCode, stdout, stderr }] = (await response) as [CommandOutput]
    if (exitCode === 0) return stdout
    const error = new Error(`Command failed: postern ${line.args.join(' ')}\n${stderr}`)
    throw Object.assign(error, { code: exitCode, stdout, stderr })
  } finally {
    worker.unref()
  }
}
