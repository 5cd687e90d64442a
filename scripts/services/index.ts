// The services for other scripts: tests, dev, chaos. Every call takes the set of POSTERN_SERVICES_DIR as it
// is at that moment, one call at a time per set across all processes, and prints progress on standard error.

import { isEngineName } from './engine.ts'
import type { EngineName } from './engine.ts'
import { engineOf, enginesOf } from './engines.ts'
import { killEngine, startEngine, statusOf, stopEngine } from './lifecycle.ts'
import type { EngineStatus } from './lifecycle.ts'
import { locked } from './lock.ts'
import { readSet, requireSet, urlsOf } from './set.ts'
import type { ServiceUrls } from './set.ts'
import { bringDown, bringUp, wipe } from './up.ts'
import type { Wipeable } from './up.ts'

export { createVhost, deleteVhost } from './rabbitmq-control.ts'
export { environmentOf } from './set.ts'
export { isEngineName }
export type { EngineName, EngineStatus, ServiceUrls, Wipeable }

/** Brings up what does not run yet; `cluster` is the least number of broker nodes, 1 to 3. */
export function ensureServices(options: { cluster?: number } = {}): Promise<ServiceUrls> {
  return locked(async () => urlsOf(await bringUp(options)))
}

/** Clean stop of everything; returns when all processes are gone. */
export function stopServices(): Promise<void> {
  return locked(async () => {
    const set = readSet()
    if (set) await bringDown(set)
  })
}

export function startService(name: EngineName): Promise<void> {
  return locked(async () => {
    await startEngine(engineOf(requireSet(), name))
  })
}

/** Clean stop of one engine. */
export function stopService(name: EngineName): Promise<void> {
  return locked(() => stopEngine(engineOf(requireSet(), name)))
}

export function restartService(name: EngineName): Promise<void> {
  return locked(async () => {
    const engine = engineOf(requireSet(), name)
    await stopEngine(engine)
    await startEngine(engine)
  })
}

/** kill -9 of the engine with all its processes; it stays down until it is started. */
export function killService(name: EngineName): Promise<void> {
  return locked(() => killEngine(engineOf(requireSet(), name)))
}

export function wipeServices(only?: Wipeable): Promise<void> {
  return locked(async () => {
    const set = readSet()
    if (set) await wipe(set, only)
  })
}

/** URLs of the set whether it runs or not; fails before the first `up`. */
export function serviceUrls(): ServiceUrls {
  return urlsOf(requireSet())
}

export function serviceStatus(): Promise<EngineStatus[]> {
  const set = readSet()
  return Promise.all(set ? enginesOf(set).map(statusOf) : [])
}
