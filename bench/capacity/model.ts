/**
 * Capacity model: computes the machines that a rate needs from the cost of a message. The rate is spread over
 * as many processes as needed, and the rate per process decides the cost. Each resource of a cell is used to at
 * most `limits.utilisation` of its limit; the resource that comes closest decides the number of cells.
 */
import { costsAt, type MeasuredCosts } from './measured.ts'

export interface Demand {
  /** Peak rate in messages per second. */
  readonly rate: number
  /** Retention of messages in days. */
  readonly days: number
  /** Average rate of a day as a share of the peak, which decides the disk. */
  readonly averageShare: number
}

/** Largest machines of one cell. Assumptions, not measurements: change them to what you can get. */
export const limits = {
  /** Usable share of a process, core or disk at the peak. The rest is for bursts, faults and vacuum. */
  utilisation: 0.6,
  /**
   * One PostgreSQL primary: cores, terabytes, and WAL in MB per second that a synchronous standby can follow.
   */
  postgresCores: 32,
  postgresTerabytes: 10,
  postgresWalMegabytes: 200,
  /** Disk flushes per second. Simultaneous commits share one. */
  postgresFlushes: 20_000,
  /** Three broker nodes; each writes every message. */
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
  /**
   * Need divided by what one cell provides at `limits.utilisation`. Undefined for processes, which have no limit.
   */
  readonly share?: number
}

export interface Plan {
  readonly demand: Demand
  readonly cells: number
  /** The resource that decides the number of cells. */
  readonly first: string
  readonly resources: readonly Resource[]
  /** Rate at which a cell reaches its first limit. */
  readonly cellRate: number
}

export function plan(points: readonly MeasuredCosts[], demand: Demand): Plan {
  const { rate, days, averageShare } = demand
  const { utilisation } = limits
  const cores = (micros: number): number => (rate * micros) / 1e6
  // A process with spare time spends it on smaller groups, so only its cost under full load shows its
  // capacity.
  const full = costsAt(points, Infinity).cpuMicros
  const processes = {
    api: Math.ceil(cores(full.api) / utilisation),
    worker: Math.ceil(cores(full.worker) / utilisation),
  }
  const costs = costsAt(points, rate / processes.worker)
  const limited = (name: string, need: number, unit: string, limit: number): Resource => ({
    name,
    need,
    unit,
    share: need / (limit * utilisation),
  })
  const { cpuMicros, postgres, rabbitmq } = costs
  const brokerWork = (1 + (limits.brokerNodes - 1) * limits.followerShare) / limits.brokerNodes
  const terabytes = (rate * averageShare * 86_400 * days * postgres.storedBytes) / 1e12
  const resources: Resource[] = [
    { name: 'API processes', need: processes.api, unit: 'of one core' },
    { name: 'workers', need: processes.worker, unit: 'of one core' },
    limited('broker CPU', cores(cpuMicros.rabbitmq) * brokerWork, 'cores per node', limits.brokerCores),
    limited('broker disk', (rate * rabbitmq.writtenBytes) / 1e6, 'MB/s per node', limits.brokerMegabytes),
    limited('PostgreSQL CPU', cores(cpuMicros.postgres), 'cores', limits.postgresCores),
    limited('PostgreSQL WAL', (rate * postgres.walBytes) / 1e6, 'MB/s', limits.postgresWalMegabytes),
    limited('PostgreSQL commits', rate * postgres.commits, 'per second', limits.postgresFlushes),
    limited('PostgreSQL disk', terabytes, 'TB', limits.postgresTerabytes),
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
