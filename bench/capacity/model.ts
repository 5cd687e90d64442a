/**
 * The capacity model: from what a message costs to the machines that a rate needs. Pure. The rate is spread over as many
 * processes as it needs, and the rate of each decides what a message costs. Every resource of a cell is used up to a share
 * of its limit; what needs the largest share decides the number of cells.
 */
import { costsAt, type MeasuredCosts } from './measured.ts'

export interface Demand {
  /** Messages a second at the peak. */
  readonly rate: number
  /** Days that messages are kept. */
  readonly days: number
  /** Average rate of a day, as a share of the peak: decides the disk. */
  readonly averageShare: number
}

/** The largest machines of one cell. Assumptions, not measurements: change them to those you can get. */
export const limits = {
  /** Share of what a process, core or disk can carry that the peak may use: the rest is for bursts, faults and vacuum. */
  utilisation: 0.6,
  /** One PostgreSQL primary: cores, terabytes, and WAL in MB a second that a synchronous standby follows. */
  postgresCores: 32,
  postgresTerabytes: 10,
  postgresWalMegabytes: 200,
  /** Flushes a second of its disk: commits of one moment share one. */
  postgresFlushes: 20_000,
  /** Three broker nodes; every message is written by all of them. */
  brokerNodes: 3,
  brokerCores: 16,
  brokerMegabytes: 400,
  /** CPU time of a follower of a quorum queue, as a share of the leader's. */
  followerShare: 0.5,
} as const

export interface Resource {
  readonly name: string
  readonly need: number
  readonly unit: string
  /** Of the limit of one cell, at its utilisation. Undefined for processes, which have no limit. */
  readonly share?: number
}

export interface Plan {
  readonly demand: Demand
  readonly cells: number
  /** The resource that decides the number of cells. */
  readonly first: string
  readonly resources: readonly Resource[]
  /** A cell reaches its first limit at this rate. */
  readonly cellRate: number
}

export function plan(points: readonly MeasuredCosts[], demand: Demand): Plan {
  const { rate, days, averageShare } = demand
  const { utilisation } = limits
  const cores = (micros: number): number => (rate * micros) / 1e6
  // A process that has time left spends it on smaller groups: only its cost under full load says what it can carry.
  const full = costsAt(points, Infinity).cpuMicros
  const processes = {
    api: Math.ceil(cores(full.api) / utilisation),
    worker: Math.ceil(cores(full.worker) / utilisation),
  }
  const costs = costsAt(points, rate / processes.worker)
  const bounded = (name: string, need: number, unit: string, limit: number): Resource => ({
    ...{ name, need, unit },
    share: need / (limit * utilisation),
  })
  const { cpuMicros, postgres, rabbitmq } = costs
  const brokerWork = (1 + (limits.brokerNodes - 1) * limits.followerShare) / limits.brokerNodes
  const terabytes = (rate * averageShare * 86_400 * days * postgres.storedBytes) / 1e12
  const resources: Resource[] = [
    { name: 'API processes', need: processes.api, unit: 'of one core' },
    { name: 'workers', need: processes.worker, unit: 'of one core' },
    bounded('broker CPU', cores(cpuMicros.rabbitmq) * brokerWork, 'cores a node', limits.brokerCores),
    bounded('broker disk', (rate * rabbitmq.writtenBytes) / 1e6, 'MB/s a node', limits.brokerMegabytes),
    bounded('PostgreSQL CPU', cores(cpuMicros.postgres), 'cores', limits.postgresCores),
    bounded('PostgreSQL WAL', (rate * postgres.walBytes) / 1e6, 'MB/s', limits.postgresWalMegabytes),
    bounded('PostgreSQL commits', rate * postgres.commits, 'a second', limits.postgresFlushes),
    bounded('PostgreSQL disk', terabytes, 'TB', limits.postgresTerabytes),
  ]
  const [first] = resources.toSorted((left, right) => (right.share ?? 0) - (left.share ?? 0))
  const share = first!.share!
  return {
    demand,
    cells: Math.max(1, Math.ceil(share)),
    first: first!.name,
    resources,
    cellRate: rate / share,
  }
}
