import { setTimeout as pause } from 'node:timers/promises'
import {
  cutBrokerNode,
  databaseRoles,
  killService,
  leaveDatabaseStandby,
  promoteDatabase,
  rejoinDatabaseStandby,
  restartService,
  setDiskAlarm,
  startService,
  stopService,
} from '../../../../tools/engines/index.ts'
import type { ChaosFault } from './fault.ts'

/** Shorter than the time that workers continue without PostgreSQL (5 s). Network faults last longer. */
const databaseDownMs = 3_000
/** Detection time of a failover agent. */
const detectionMs = 2_000
const redisDownMs = 3_000
/** Longer than the election of new leaders by the nodes that see each other. */
const nodeCutMs = 15_000
let cutNode = 1
const nodes = ['rabbitmq', 'rabbitmq-2', 'rabbitmq-3'] as const

async function startNodes(): Promise<void> {
  for (const node of nodes) await startService(node)
}

/**
 * Faults of RabbitMQ, PostgreSQL and Redis: crash, restart, full disk. They include the reaction of the operator or
 * failover agent described in docs/operations, after a detection delay.
 */
export const engineFaults: readonly ChaosFault[] = [
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
    name: `Redis is stopped for ${redisDownMs / 1000} s and starts empty`,
    on: ['full'],
    acceptsThroughout: true,
    loses: 'keys',
    lastsMs: redisDownMs,
    inject: () => stopService('redis'),
    repair: () => startService('redis'),
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
    name: `a broker node is cut off from the other nodes for ${nodeCutMs / 1000} s`,
    on: ['full'],
    acceptsThroughout: false,
    lastsMs: nodeCutMs,
    async inject(_installation, random) {
      cutNode = random.pick([1, 2, 3])
      await cutBrokerNode(cutNode, true)
    },
    repair: () => cutBrokerNode(cutNode, false),
  },
  {
    name: 'disk alarm on the broker for 10 s',
    on: ['full'],
    acceptsThroughout: false,
    rejectsSends: true,
    lastsMs: 10_000,
    inject: () => setDiskAlarm(1, true),
    repair: () => setDiskAlarm(1, false),
  },
  {
    name: 'a broker node is lost and returns during a disk alarm',
    on: ['full'],
    acceptsThroughout: false,
    rejectsSends: true,
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
