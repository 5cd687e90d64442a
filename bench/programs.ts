/**
 * Starts the processes of a bench. Each is ready when it prints a certain line. Those that still run when the bench
 * exits are killed. Only processes started here are signalled.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

export interface Program {
  readonly name: string
  readonly pid: number
  /** Sends SIGTERM, then SIGKILL if the process does not exit. */
  stop(): Promise<void>
}

export interface ProgramSpec<T> {
  readonly name: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Extracts a value from a line of output; undefined until the process is ready. */
  readonly ready: (line: Record<string, unknown>) => T | undefined
}

const readyWithinMs = 30_000
const stopWithinMs = 25_000
const keptLines = 20

const running = new Set<ChildProcess>()
// An exit handler cannot wait, so it sends SIGKILL.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export async function startProgram<T>(spec: ProgramSpec<T>): Promise<Program & { readonly readyValue: T }> {
  const child = spawn(process.execPath, [...spec.args], {
    env: { ...process.env, ...spec.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const last: string[] = []
  const keep = (line: string): void => {
    last.push(line)
    if (last.length > keptLines) last.shift()
  }
  const ready = Promise.withResolvers<T>()
  const exited = once(child, 'exit').then(([code, signal]) => {
    running.delete(child)
    ready.reject(new Error(`${spec.name} exited (${String(code ?? signal)}):\n${last.join('\n')}`))
  })
  createInterface({ input: child.stderr }).on('line', keep)
  createInterface({ input: child.stdout }).on('line', (line) => {
    keep(line)
    const fields = parse(line)
    const readyValue = fields === undefined ? undefined : spec.ready(fields)
    if (readyValue !== undefined) ready.resolve(readyValue)
  })
  const timer = setTimeout(
    () => ready.reject(new Error(`${spec.name} did not become ready in time:\n${last.join('\n')}`)),
    readyWithinMs,
  )
  try {
    return {
      name: spec.name,
      pid: child.pid!,
      readyValue: await ready.promise,
      stop: () => stop(child, exited),
    }
  } catch (error) {
    await stop(child, exited)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (!running.has(child)) return
  child.kill('SIGTERM')
  const late = new AbortController()
  void delay(stopWithinMs, undefined, { signal: late.signal }).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  )
  await exited
  late.abort()
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
