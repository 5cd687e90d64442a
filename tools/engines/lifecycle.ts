// Starts, stops and kills engines. A start returns when the engine responds, a stop when its process has
// exited. Errors of an engine that does not get ready show the end of the log and the next step.

import { existsSync, readFileSync } from 'node:fs'
import type { Engine } from './engine.ts'
import { host, isPortFree } from './ports.ts'
import { forget, isAlive, killTree, runningFrom, signalAndWait } from './process.ts'
import type { Identity } from './process.ts'
import { print, formatElapsed } from './print.ts'
import { waitForCondition } from './wait-for-condition.ts'

const stopWithinMs = 60_000

/** Returns false if the engine already runs. */
export async function startEngine(engine: Engine, environment?: NodeJS.ProcessEnv): Promise<boolean> {
  const since = performance.now()
  const running = runningFrom(engine.pidFile)
  if (running) {
    await waitUntilReady(engine, running)
    print(`${engine.name} … already running on ${host}:${engine.port} (pid ${running.pid})`)
    return false
  }
  await engine.prepare()
  if (!(await isPortFree(engine.port))) {
    throw new Error(
      `${engine.name}: port ${engine.port} is already in use by another program.\n` +
        `  See which: ss -ltnp 'sport = :${engine.port}'\n` +
        '  Stop it, or let the service set choose other ports: npm run engines -- down, then up.',
    )
  }
  await waitUntilReady(engine, engine.launch(environment))
  print(`${engine.name} … ready on ${host}:${engine.port} (${formatElapsed(since)})`)
  return true
}

async function waitUntilReady(engine: Engine, identity: Identity): Promise<void> {
  const ready = await waitForCondition(
    engine.startWithinMs,
    async () => !isAlive(identity) || (await engine.isReady()),
  )
  if (!isAlive(identity)) throw new Error(`${engine.name} exited while starting.\n${advice(engine)}`)
  if (!ready) {
    throw new Error(
      `${engine.name} (pid ${identity.pid}) does not respond on ${host}:${engine.port} ` +
        `after ${engine.startWithinMs / 1000} s.\n${advice(engine)}`,
    )
  }
  await engine.complete()
}

function advice(engine: Engine): string {
  const tails = engine.logs
    .filter((log) => existsSync(log))
    .map((log) => `  ${log} ends:\n${readTail(log, 20)}`)
  return [
    ...tails,
    `  Retry: npm run engines -- restart ${engine.name}`,
    '  Delete the data of all engines and start again: npm run engines -- wipe, then up',
  ].join('\n')
}

function readTail(log: string, lines: number): string {
  const all = readFileSync(log, 'utf8').trimEnd().split('\n')
  return all
    .slice(-lines)
    .map((line) => `    ${line}`)
    .join('\n')
}

export async function stopEngine(engine: Engine): Promise<void> {
  const since = performance.now()
  const running = runningFrom(engine.pidFile)
  if (running) {
    if (await signalAndWait(running, engine.stopSignal, stopWithinMs)) {
      print(`${engine.name} … stopped (${formatElapsed(since)})`)
    } else {
      await killTree(running)
      print(`${engine.name} … killed: it did not stop within ${stopWithinMs / 1000} s`)
    }
  }
  forget(engine.pidFile)
}

export async function killEngine(engine: Engine): Promise<void> {
  const running = runningFrom(engine.pidFile)
  if (!running) throw new Error(`${engine.name} is not running`)
  await killTree(running)
  // The pid file stays, as after a real crash: the next start must handle it.
  print(`${engine.name} … killed (pid ${running.pid})`)
}

export interface EngineStatus {
  readonly name: string
  readonly state: 'ready' | 'not responding' | 'down'
  readonly pid: number | undefined
  readonly port: number
  readonly version: string
}

export async function readStatus(engine: Engine): Promise<EngineStatus> {
  const running = runningFrom(engine.pidFile)
  const state = !running ? 'down' : (await engine.isReady()) ? 'ready' : 'not responding'
  return { name: engine.name, state, pid: running?.pid, port: engine.port, version: await engine.version() }
}
