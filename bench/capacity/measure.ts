/**
 * Measures what a message costs in every stage, at a rate for each number of connections: one API process, one worker,
 * single-step SMS with receipts. CPU time from
 * /proc, WAL and commits from PostgreSQL, bytes written from /proc of RabbitMQ. The engines must serve nothing else.
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
import { metered } from '../rounds.ts'
import { startOurs } from '../sides.ts'
import type { MeasuredCosts } from './measured.ts'

export interface Load {
  readonly messages: number
  readonly connections: number
}

const warmUpMessages = 20_000

export async function measureCosts(
  loads: readonly Load[],
  stack: CleanupStack,
  say: (text: string) => void,
): Promise<MeasuredCosts[]> {
  const environment = await openEnvironment()
  stack.use({ stop: () => environment.close() })
  const gateway = await installGateway(environment)
  const carrier = stack.use(await startCarrier())
  const meter = new Meter()
  const side = await startOurs(
    { environment, stack, meter, smscPort: carrier.port, window: 100, workers: 1, owners: 1 },
    gateway,
  )
  meter.watchServices(environment)
  const load = stack.use(startLoadGenerator())
  const token = await gateway.token(side.port)
  const round = (firstNumber: number, requests: number, clients: number) =>
    measureRound(side, load, {
      ...{ send: 'sms', port: side.port, token, milliseconds: maxRoundMs },
      ...{ connections: clients, requests, firstNumber },
    })
  say('warming up')
  await round(0, warmUpMessages, 64)
  let firstNumber = warmUpMessages

  async function measureLoad({ messages, connections }: Load): Promise<MeasuredCosts> {
    const before = await readCounters(environment)
    const { value, cpu } = await metered(meter, () => round(firstNumber, messages, connections))
    firstNumber += messages
    const after = await readCounters(environment)
    const each = (name: keyof Counters): number =>
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
        walBytes: Math.round(each('walBytes')),
        commits: each('commits'),
        storedBytes: Math.round(each('storedBytes')),
      },
      rabbitmq: { writtenBytes: Math.round(each('brokerBytes')) },
    }
  }

  const measured: MeasuredCosts[] = []
  for (const load of loads) {
    const costs = await measureLoad(load)
    say(`${load.connections} connections: ${costs.perSecond} messages a second`)
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

/** Bytes that a process caused to be written to disk; 0 where Linux does not say. */
function writtenBytes(pid: number | undefined): number {
  try {
    return Number(/write_bytes: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
