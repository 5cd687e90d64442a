// The services as a library for other scripts: tests, dev, chaos. Every call reads POSTERN_SERVICES_DIR
// again. Calls that change the set hold its lock and print progress on standard error.

import { isEngineName } from './engine.ts'
import type { EngineName } from './engine.ts'
import { getEngine, listEngines } from './engines.ts'
import { killEngine, startEngine, readStatus, stopEngine } from './lifecycle.ts'
import type { EngineStatus } from './lifecycle.ts'
import { locked } from './lock.ts'
import {
  stopWaitingForStandby,
  requirePair,
  promoteStandby,
  rejoinStandby,
  getStandby,
} from './postgres/pair.ts'
import { host } from './ports.ts'
import { postgresEngine } from './postgres/postgres.ts'
import { rabbitmqEngine, wipeNode } from './rabbitmq/rabbitmq.ts'
import { runBrokerCommand } from './rabbitmq/control.ts'
import { toNodeName } from './rabbitmq/settings.ts'
import { readSet, requireSet, createUrls } from './service-set.ts'
import type { ServiceSet, ServiceUrls } from './service-set.ts'
import { bringDown, bringUp, wipe } from './up.ts'
import type { ServiceSetOptions, Wipeable } from './up.ts'

export {
  createVhost,
  cutBrokerNode,
  deleteVhost,
  runBrokerCommand,
  setDiskAlarm,
} from './rabbitmq/control.ts'
export { toNodeName } from './rabbitmq/settings.ts'
export { toEnvironment } from './service-set.ts'
export { isEngineName }
export type { EngineName, EngineStatus, ServiceUrls, ServiceSetOptions, Wipeable }

/** Starts engines that do not run. */
export function ensureServices(options: ServiceSetOptions = {}): Promise<ServiceUrls> {
  return locked(async () => createUrls(await bringUp(options)))
}

/** Stops all engines cleanly; returns when all processes have exited. */
export function stopServices(): Promise<void> {
  return locked(async () => {
    const set = readSet()
    if (set) await bringDown(set)
  })
}

export function startService(name: EngineName): Promise<void> {
  return locked(async () => {
    await startEngine(getEngine(requireSet(), name))
  })
}

/** Stops one engine cleanly. */
export function stopService(name: EngineName): Promise<void> {
  return locked(() => stopEngine(getEngine(requireSet(), name)))
}

export function restartService(name: EngineName, environment?: NodeJS.ProcessEnv): Promise<void> {
  return locked(async () => {
    const engine = getEngine(requireSet(), name)
    await stopEngine(engine)
    await startEngine(engine, environment)
  })
}

/** Kills an engine and all its processes with SIGKILL; it stays down until it is started. */
export function killService(name: EngineName): Promise<void> {
  return locked(() => killEngine(getEngine(requireSet(), name)))
}

/**
 * Simulates the loss of a broker node with its disk: kills it, removes it from the cluster, and lets it join
 * as a new node at its next start.
 */
export function loseBrokerNode(number: 2 | 3): Promise<void> {
  return locked(async () => {
    const set = requireSet()
    await killEngine(rabbitmqEngine(set, number))
    await runBrokerCommand('rabbitmqctl', 'forget_cluster_node', toNodeName(number))
    wipeNode(set, number)
  })
}

/** Returns the addresses of the Prometheus metrics of the broker nodes; only a cluster serves them. */
export function brokerMetricsTargets(): string[] {
  const { ports, nodes } = requireSet()
  return ports.nodes.slice(0, nodes).map(({ metrics }) => `${host}:${metrics}`)
}

/** Returns the current roles of the pair. */
export function databaseRoles(): { readonly primary: EngineName; readonly standby: EngineName } {
  const set = requireSet()
  return {
    primary: postgresEngine(set, requirePair(set).primary).name,
    standby: postgresEngine(set, getStandby(set)).name,
  }
}

/** Kills the old primary if it still runs; fails if the standby may lack an acknowledged commit. */
export function promoteDatabase(): Promise<void> {
  return locked(async () => {
    await promoteStandby(requireSet())
  })
}

/** Call when the standby is down: commits no longer wait for it. */
export function leaveDatabaseStandby(): Promise<void> {
  return locked(async () => {
    await stopWaitingForStandby(requireSet())
  })
}

/** Starts the standby, rebuilt if it was the primary, and makes commits wait for it. */
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
  /** Role of a PostgreSQL server in a pair; otherwise empty. */
  readonly role: string
}

/** Returns the URLs of the set even if it is stopped; fails before the first `up`. */
export function serviceUrls(): ServiceUrls {
  return createUrls(requireSet())
}

export function serviceStatus(): Promise<ServiceStatus[]> {
  const set = readSet()
  if (!set) return Promise.resolve([])
  return Promise.all(
    listEngines(set).map(async (engine) => ({
      ...(await readStatus(engine)),
      role: describeRole(set, engine.name),
    })),
  )
}

function describeRole(set: ServiceSet, name: EngineName): string {
  if (!set.pair || !name.startsWith('postgres')) return ''
  if (name === postgresEngine(set, set.pair.primary).name) return 'primary'
  return set.pair.inSync ? 'standby, in sync' : 'standby, not in sync'
}
