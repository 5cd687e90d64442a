/**
 * Measures the cost of a message in every stage, once per number of client connections: one API process, one
 * worker, single-step SMS with receipts. CPU time is from /proc, WAL and commits from PostgreSQL, written bytes
 * from /proc of RabbitMQ. The engines must have no other load.
 */
import { readFileSync } from 'node:fs'
import type { BenchEnvironment } from '../environment.ts'
import { startCarrier } from '../carrier.ts'
import type { CleanupStack } from '../cleanup-stack.ts'
import { findListener } from '../cpu.ts'
import { openEnvironment } from '../environment.ts'
import { installGateway } from '../gateway.ts'
import { startLoadGenerator } from '../load/load.ts'
import { maxRoundMs, measureRound } from '../measure-round.ts'
import { Meter } from '../meter.ts'
import { measureCpu } from '../rounds.ts'
import { startOurs } from '../variants.ts'
import type { MeasuredCosts } from './measured.ts'

export interface Load {
  readonly messages: number
  readonly connections: number
}

const warmUpMessages = 20_000

export async function measureCosts(
  loads: readonly Load[],
  stack: CleanupStack,
  log: (text: string) => void,
): Promise<MeasuredCosts[]> {
  const environment = await openEnvironment()
  stack.use({ stop: () => environment.close() })
  const gateway = await installGateway(environment)
  const carrier = stack.use(await startCarrier())
  const meter = new Meter()
  const variant = await startOurs(
    { environment, stack, meter, smscPort: carrier.port, window: 100, workers: 1, owners: 1 },
    gateway,
  )
  meter.watchServices(environment)
  const generator = stack.use(startLoadGenerator())
  const token = await gateway.requestToken(variant.port)
  const round = (firstNumber: number, requests: number, connections: number) =>
    measureRound(variant, generator, {
      send: 'sms',
      port: variant.port,
      token,
      milliseconds: maxRoundMs,
      connections,
      requests,
      firstNumber,
    })
  log('warming up')
  await round(0, warmUpMessages, 64)
  let nextNumber = warmUpMessages

  async function measureLoad({ messages, connections }: Load): Promise<MeasuredCosts> {
    const before = await readCounters(environment)
    const { value, cpu } = await measureCpu(meter, () => round(nextNumber, messages, connections))
    nextNumber += messages
    const after = await readCounters(environment)
    const perMessage = (name: keyof Counters): number =>
      Math.round(((after[name] - before[name]) / messages) * 1e4) / 1e4
    const micros = (part: string): number => Math.round(((cpu[part] ?? 0) / messages) * 10) / 10
    return {
      connections,
      perSecond: Math.round(value.perSecond),
      cpuMicros: {
        api: micros('gateway api'),
        worker: micros('gateway worker'),
        rabbitmq: micros('rabbitmq'),
        postgres: micros('postgres'),
        redis: micros('redis'),
      },
      postgres: {
        walBytes: Math.round(perMessage('walBytes')),
        commits: perMessage('commits'),
        storedBytes: Math.round(perMessage('storedBytes')),
      },
      rabbitmq: { writtenBytes: Math.round(perMessage('brokerBytes')) },
    }
  }

  const measured: MeasuredCosts[] = []
  for (const load of loads) {
    const costs = await measureLoad(load)
    log(`${load.connections} connections: ${costs.perSecond} messages per second`)
    measured.push(costs)
  }
  return measured
}

interface Counters {
  readonly walBytes: number
  readonly commits: number
  readonly storedBytes: number
  readonly brokerBytes: number
}

async function readCounters({ database, brokerUrl }: BenchEnvironment): Promise<Counters> {
  const found = await database.query<Record<'wal' | 'commits' | 'stored', string>>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal,
            (select xact_commit from pg_stat_database where datname = current_database()) as commits,
            (select sum(pg_total_relation_size(inhrelid)) from pg_inherits
              where inhparent in ('messages'::regclass, 'attempts'::regclass, 'reports'::regclass)) as stored`,
  )
  const { wal, commits, stored } = found.rows[0]!
  return {
    walBytes: Number(wal),
    commits: Number(commits),
    storedBytes: Number(stored),
    brokerBytes: writtenBytes(findListener(Number(new URL(brokerUrl).port))),
  }
}

/** Returns the bytes that a process caused to be written to disk, or 0 if unknown. */
function writtenBytes(pid: number | undefined): number {
  try {
    return Number(/write_bytes: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
