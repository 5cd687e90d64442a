// A set of services: one folder, one block of ports, one PostgreSQL or a pair, one Redis and one to three
// RabbitMQ nodes. The folder records the block, the number of nodes and the roles of the pair, because the
// data belong to a cluster of that size. A set only grows until it is wiped.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { pathsIn, servicesDirectory } from './paths.ts'
import type { ServicePaths } from './paths.ts'
import { host, computePorts } from './ports.ts'
import type { Ports } from './ports.ts'

export interface ServiceSet {
  readonly paths: ServicePaths
  readonly block: number
  readonly ports: Ports
  readonly nodes: number
  /** Undefined for a single PostgreSQL. */
  readonly pair?: DatabasePair
  /** PostgreSQL flushes nothing to the disk; for tests that are not about durability. */
  readonly fast?: boolean
}

/** Two PostgreSQL servers, one following the other. */
export interface DatabasePair {
  readonly primary: DatabaseNumber
  /**
   * Every acknowledged commit is on the standby's disk, so the standby may be promoted. Set after the primary
   * began to wait for the standby, and cleared before it stops waiting.
   */
  readonly inSync: boolean
}

export type DatabaseNumber = 1 | 2

export interface ServiceUrls {
  readonly databaseUrl: string
  /** The same server's maintenance database, from which others are created and dropped. */
  readonly adminDatabaseUrl: string
  /** One URL per node of the cluster. */
  readonly brokerUrls: string[]
  readonly redisUrl: string
}

export const databaseName = 'postern'

type Remembered = Omit<ServiceSet, 'paths' | 'ports'>

/** Returns the set of the current folder; `undefined` before the first `up` and after `wipe`. */
export function readSet(): ServiceSet | undefined {
  const paths = pathsIn(servicesDirectory())
  let text: string
  try {
    text = readFileSync(paths.state, 'utf8')
  } catch {
    return undefined
  }
  const remembered = JSON.parse(text) as Remembered
  return { paths, ...remembered, ports: computePorts(remembered.block) }
}

export function requireSet(): ServiceSet {
  const set = readSet()
  if (!set) throw new Error(`no services in ${servicesDirectory()}; run npm run engines -- up`)
  return set
}

export function rememberSet(block: number, nodes: number, pair?: DatabasePair, fast = false): ServiceSet {
  const paths = pathsIn(servicesDirectory())
  mkdirSync(paths.directory, { recursive: true })
  const remembered: Remembered = { block, nodes, ...(pair ? { pair } : {}), ...(fast ? { fast } : {}) }
  // Renamed into place: the role of the primary must survive a crash of this script during the write.
  writeFileSync(`${paths.state}.new`, `${JSON.stringify(remembered)}\n`)
  renameSync(`${paths.state}.new`, paths.state)
  return { paths, ...remembered, ports: computePorts(block) }
}

export function createUrls(set: ServiceSet, vhost?: string): ServiceUrls {
  const server = `postgres://postgres@${host}:${set.pair ? set.ports.haproxy : set.ports.postgres}`
  const path = vhost === undefined ? '' : `/${encodeURIComponent(vhost)}`
  return {
    databaseUrl: `${server}/${databaseName}`,
    adminDatabaseUrl: `${server}/postgres`,
    brokerUrls: set.ports.nodes
      .slice(0, set.nodes)
      .map((node) => `amqp://guest:guest@${host}:${node.amqp}${path}`),
    redisUrl: `redis://${host}:${set.ports.redis}`,
  }
}

export function toEnvironment(urls: ServiceUrls) {
  return {
    POSTERN_DATABASE_URL: urls.databaseUrl,
    POSTERN_BROKER_URLS: urls.brokerUrls.join(','),
    POSTERN_REDIS_URL: urls.redisUrl,
  }
}
