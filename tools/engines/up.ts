// Starts and stops a whole set. Call with the lock held. A start leaves running engines as they are, except that
// PostgreSQL restarts when it gets a standby, and reloads its settings when it becomes durable.

import { rmSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { listDatabases, listEngines, listBrokerNodes, runningNames } from './engines.ts'
import type { Engine, EngineName } from './engine.ts'
import { isEpmdRunning, stopEpmd } from './rabbitmq/epmd.ts'
import { installMissing } from './install/install.ts'
import { startEngine, stopEngine } from './lifecycle.ts'
import { makeCommitsWaitForStandby } from './postgres/pair.ts'
import { chooseBlock, maxNodes } from './ports.ts'
import { isBlank } from './rabbitmq/rabbitmq.ts'
import { checkBrokerCluster } from './rabbitmq/control.ts'
import { reloadSettings } from './postgres/postgres.ts'
import { redisEngine } from './redis.ts'
import { readSet, rememberSet, requireSet } from './service-set.ts'
import type { ServiceSet } from './service-set.ts'

export interface ServiceSetOptions {
  /** Minimum number of broker nodes; a set that has more keeps them. */
  readonly cluster?: number
  /** Adds a PostgreSQL standby; a set that has one keeps it. */
  readonly standby?: boolean
  /** Lets PostgreSQL skip the flushing of files. A durable set that runs and a pair stay durable. */
  readonly fast?: boolean
  /** Preferred block of ports of a new set; defaults to the first. */
  readonly block?: number
}

export async function bringUp(options: ServiceSetOptions = {}): Promise<ServiceSet> {
  const nodes = options.cluster ?? 1
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > maxNodes) {
    throw new Error(`--cluster must be 1 to ${maxNodes}, got ${nodes}`)
  }
  if (process.platform !== 'linux') {
    throw new Error(
      'the services run on Linux only; on other systems set POSTERN_DATABASE_URL, POSTERN_BROKER_URLS, POSTERN_REDIS_URL.',
    )
  }
  const before = readSet()
  const pair =
    before?.pair ?? (options.standby === true ? ({ primary: 1, inSync: false } as const) : undefined)
  await installMissing({ standby: pair !== undefined })
  // Ports are kept while an engine of the set listens on them; otherwise another set may use them.
  const isRunning = before !== undefined && (runningNames(before).length > 0 || isEpmdRunning(before))
  const block = isRunning ? before.block : await chooseBlock(before?.block ?? options.block ?? 0)
  const runsDurable = before !== undefined && isRunning && before.fast !== true
  const fast = options.fast === true && pair === undefined && !runsDurable
  const set = rememberSet(block, Math.max(before?.nodes ?? 1, nodes), pair, fast)
  if (isRunning && before.fast === true && !fast) await reloadSettings(set)
  await together([
    startDatabases(set, before?.pair === undefined),
    startEngine(redisEngine(set)),
    startNodes(set),
  ])
  return requireSet()
}

async function startDatabases(set: ServiceSet, wasAlone: boolean): Promise<void> {
  // Some settings of a primary are read at its start only.
  if (set.pair && wasAlone) await stopEngine(listDatabases(set)[0]!)
  for (const engine of listDatabases(set)) await startEngine(engine)
  if (set.pair && !set.pair.inSync) await makeCommitsWaitForStandby(set)
}

async function startNodes(set: ServiceSet): Promise<void> {
  const [first, ...others] = listBrokerNodes(set).map((engine, index) => ({
    engine,
    blank: isBlank(set, index + 1),
  }))
  if (!first) return
  // Existing members of the cluster wait for each other, so they start concurrently.
  const formerMembers = others.filter(({ blank }) => !blank)
  await together([first, ...formerMembers].map(({ engine }) => startEngine(engine)))
  await together(others.filter(({ blank }) => blank).map(({ engine }) => startEngine(engine)))
  if (others.length > 0) await checkBrokerCluster(set)
}

/** Waits for all even if one fails, so that no start continues after the error is shown. */
async function together(starts: Promise<unknown>[]): Promise<void> {
  const reasons = (await Promise.allSettled(starts)).flatMap((result) =>
    result.status === 'rejected' ? [result.reason as Error] : [],
  )
  if (reasons.length > 0) throw new Error(reasons.map((reason) => reason.message).join('\n'))
}

/**
 * Stops the given engines or all; the first broker node last, so that it starts without waiting for others.
 */
export async function bringDown(set: ServiceSet, names?: readonly EngineName[]): Promise<void> {
  const chosen = listEngines(set).filter(({ name }) => !names || names.includes(name))
  const isNode = ({ name }: Engine) => name.startsWith('rabbitmq')
  const stopNodes = async () => {
    for (const engine of chosen.filter(isNode).reverse()) await stopEngine(engine)
    if (!runningNames(set).some((name) => name.startsWith('rabbitmq'))) await stopEpmd(set)
  }
  const isDatabase = ({ name }: Engine) => name.startsWith('postgres')
  const stopDatabases = async () => {
    // The primary first: it sends its last WAL to the standby before it exits.
    for (const engine of chosen.filter(isDatabase)) await stopEngine(engine)
  }
  const others = chosen.filter((engine) => !isNode(engine) && !isDatabase(engine))
  await together([...others.map(stopEngine), stopDatabases(), stopNodes()])
}

export type Wipeable = 'postgres' | 'rabbitmq' | 'redis'

/** Stops the engine, or everything, and deletes its data. Removes only what these scripts created. */
export async function wipe(set: ServiceSet, only?: Wipeable): Promise<void> {
  const remove = (name: string) => rmSync(join(set.paths.directory, name), { recursive: true, force: true })
  if (only) {
    const also = only === 'postgres' ? ['haproxy'] : []
    const names = listEngines(set).flatMap(({ name }) =>
      name.startsWith(only) || also.includes(name) ? [name] : [],
    )
    await bringDown(set, names)
    for (const name of only === 'postgres' ? [only, 'postgres-2', 'haproxy'] : [only]) remove(name)
    if (only === 'rabbitmq') rememberSet(set.block, 1, set.pair, set.fast)
    if (only === 'postgres') rememberSet(set.block, set.nodes)
    return
  }
  await bringDown(set)
  const folders = ['postgres', 'postgres-2', 'haproxy', 'rabbitmq', 'redis', 'run', 'log', 'users']
  for (const name of [...folders, 'services.json']) remove(name)
  try {
    rmdirSync(set.paths.directory)
  } catch {
    // The folder contains other files.
  }
}
