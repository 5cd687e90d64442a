/**
 * Faults of RabbitMQ and PostgreSQL: crash, restart, full disk. They include what the operator or a failover agent does
 * then, after a delay for detection, as docs/operations describes it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  databaseRoles,
  killService,
  leaveDatabaseStandby,
  promoteDatabase,
  rejoinDatabaseStandby,
  restartService,
  setDiskAlarm,
  startService,
  stopService,
} from '../../../scripts/services/index.ts'
import type { Fault } from './fault.ts'

/** Shorter than workers go on without PostgreSQL (5 s); the long run cuts them off for longer than that. */
const databaseDownMs = 3_000
/** How long a failover agent waits before it takes a server for dead. */
const detectionMs = 2_000
const nodes = ['rabbitmq', 'rabbitmq-2', 'rabbitmq-3'] as const

async function startNodes(): Promise<void> {
  for (const node of nodes) await startService(node)
}

export const engineFaults: readonly Fault[] = [
  {
    name: 'restart of RabbitMQ',
    on: ['short'],
    noReplacement: true,
    acceptsThroughout: false,
    lastsMs: 0,
    inject: () => restartService('rabbitmq'),
  },
  {
    name: 'restart of PostgreSQL',
    on: ['short'],
    noReplacement: true,
    acceptsThroughout: true,
    lastsMs: 0,
    inject: () => restartService('postgres'),
  },
  {
    name: `PostgreSQL unavailable for ${databaseDownMs / 1000} s`,
    on: ['short'],
    noReplacement: true,
    acceptsThroughout: true,
    lastsMs: 0,
    async inject() {
      await stopService('postgres')
      await pause(databaseDownMs)
      await startService('postgres')
    },
  },
  {
    name: 'kill -9 of a broker node',
    on: ['full'],
    acceptsThroughout: false,
    lastsMs: 3_000,
    inject: (_installation, random) => killService(random.pick(nodes)),
    repair: startNodes,
  },
  {
    name: 'disk alarm on the broker for 10 s',
    on: ['full'],
    acceptsThroughout: false,
    refuses: true,
    lastsMs: 10_000,
    inject: () => setDiskAlarm(1, true),
    repair: () => setDiskAlarm(1, false),
  },
  {
    name: 'a broker node is lost and returns during a disk alarm',
    on: ['full'],
    acceptsThroughout: false,
    refuses: true,
    lastsMs: 10_000,
    async inject(_installation, random) {
      await setDiskAlarm(1, true)
      await killService(random.pick(nodes.slice(1)))
    },
    async repair() {
      await startNodes()
      await setDiskAlarm(1, false)
    },
  },
  {
    name: 'restart of the PostgreSQL primary',
    on: ['full'],
    acceptsThroughout: true,
    lastsMs: 0,
    inject: () => restartService(databaseRoles().primary),
  },
  {
    name: 'kill -9 of the PostgreSQL primary, promotion of the standby',
    on: ['full'],
    acceptsThroughout: true,
    lastsMs: 1_000,
    async inject() {
      await killService(databaseRoles().primary)
      await pause(detectionMs)
      await promoteDatabase()
    },
    repair: rejoinDatabaseStandby,
  },
  {
    name: 'kill -9 of the PostgreSQL standby',
    on: ['full'],
    acceptsThroughout: true,
    lastsMs: 1_000,
    async inject() {
      await killService(databaseRoles().standby)
      await pause(detectionMs)
      await leaveDatabaseStandby()
    },
    repair: rejoinDatabaseStandby,
  },
]
