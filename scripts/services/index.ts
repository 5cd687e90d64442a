// The services as a library for other scripts: tests, dev, chaos. Every call reads the current POSTERN_SERVICES_DIR,
// holds the lock of that set, and prints progress on standard error.

import { isEngineName } from './engine.ts'
import type { EngineName } from './engine.ts'
import { engineOf, enginesOf } from './engines.ts'
import { killEngine, startEngine, statusOf, stopEngine } from './lifecycle.ts'
import type { EngineStatus } from './lifecycle.ts'
import { locked } from './lock.ts'
import { leaveStandby, pairOf, promoteStandby, rejoinStandby, standbyOf } from './pair.ts'
import { host } from './ports.ts'
import { postgresEngine } from './postgres.ts'
import { rabbitmqEngine, wipeNode } from './rabbitmq.ts'
import { runBrokerCommand } from './rabbitmq-control.ts'
import { nodeNameOf } from './rabbitmq-settings.ts'
import { readSet, requireSet, urlsOf } from './service-set.ts'
import type { ServiceSet, ServiceUrls } from './service-set.ts'
import { bringDown, bringUp, wipe } from './up.ts'
import type { Size, Wipeable } from './up.ts'

export { createVhost, deleteVhost, runBrokerCommand, setDiskAlarm } from './rabbitmq-control.ts'
export { nodeNameOf } from './rabbitmq-settings.ts'
export { environmentOf } from './service-set.ts'
export { isEngineName }
export type { EngineName, EngineStatus, ServiceUrls, Size, Wipeable }

/** Starts what does not run yet. */
export function ensureServices(options: Size = {}): Promise<ServiceUrls> {
  return locked(async () => urlsOf(await bringUp(options)))
}

/** Clean stop of everything; returns when all processes have exited. */
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

export function restartService(name: EngineName, environment?: NodeJS.ProcessEnv): Promise<void> {
  return locked(async () => {
    const engine = engineOf(requireSet(), name)
    await stopEngine(engine)
    await startEngine(engine, environment)
  })
}

/** kill -9 of the engine with all its processes; it stays down until it is started. */
export function killService(name: EngineName): Promise<void> {
  return locked(() => killEngine(engineOf(requireSet(), name)))
}

/** Loses a broker node with its disk: it is killed, removed from the cluster, and joins as a new node when it is started. */
export function loseBrokerNode(number: 2 | 3): Promise<void> {
  return locked(async () => {
    const set = requireSet()
    await killEngine(rabbitmqEngine(set, number))
    await runBrokerCommand('rabbitmqctl', 'forget_cluster_node', nodeNameOf(number))
    wipeNode(set, number)
  })
}

/** The addresses of the Prometheus metrics of the broker nodes, which only a cluster serves. */
export function brokerMetricsTargets(): string[] {
  const { ports, nodes } = requireSet()
  return ports.nodes.slice(0, nodes).map(({ metrics }) => `${host}:${metrics}`)
}

/** The current roles of the pair. */
export function databaseRoles(): { readonly primary: EngineName; readonly standby: EngineName } {
  const set = requireSet()
  return {
    primary: postgresEngine(set, pairOf(set).primary).name,
    standby: postgresEngine(set, standbyOf(set)).name,
  }
}

/** Kills the old primary if it still runs; fails when the standby may lack an acknowledged commit. */
export function promoteDatabase(): Promise<void> {
  return locked(async () => {
    await promoteStandby(requireSet())
  })
}

/** The standby is down: commits no longer wait for it. */
export function leaveDatabaseStandby(): Promise<void> {
  return locked(async () => {
    await leaveStandby(requireSet())
  })
}

/** Starts the standby again, rebuilt if it was the primary before, and makes commits wait for it. */
export function rejoinDatabaseStandby(): Promise<void> {
  return locked(async () => {
    await rejoinStandby(requireSet())
  })
}

export function wipeServices(only?: Wipeable): Promise<void> {
  return locked(async () => {
    const set = readSet()
    if (set) await wipe(set, only)
  })
}

export interface ServiceStatus extends EngineStatus {
  /** Of a PostgreSQL server in a pair; otherwise empty. */
  readonly role: string
}

/** URLs of the set whether it runs or not; fails before the first `up`. */
export function serviceUrls(): ServiceUrls {
  return urlsOf(requireSet())
}

export function serviceStatus(): Promise<ServiceStatus[]> {
  const set = readSet()
  if (!set) return Promise.resolve([])
  return Promise.all(
    enginesOf(set).map(async (engine) => ({ ...(await statusOf(engine)), role: roleOf(set, engine.name) })),
  )
}

function roleOf(set: ServiceSet, name: EngineName): string {
  if (!set.pair || !name.startsWith('postgres')) return ''
  if (name === postgresEngine(set, set.pair.primary).name) return 'primary'
  return set.pair.inSync ? 'standby, in sync' : 'standby, not in sync'
}
