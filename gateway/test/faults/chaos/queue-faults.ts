import { setTimeout as pause } from 'node:timers/promises'
import { Connection } from 'rabbitmq-client'
import { createTopology, type Topology } from '../../../src/jobs/queues.ts'
import type { QueueSpec } from '../../../src/platform/broker/queue-spec.ts'
import { query } from '../../support/processes/scratch-database.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { ChaosFault } from './fault.ts'

const queuedParts = 300
const purgedMs = 1_000
/** Long enough that settle holds as many receipts as RabbitMQ delivers to it, and further ones wait in the queue. */
const lockedSeconds = 4

/**
 * RabbitMQ loses the messages of a queue. A purge removes only messages that no consumer holds, so the consumer of the
 * queue is killed or delayed before. The search for lost steps begins after 15 minutes; in this run the steps end at
 * their deadline.
 */
export const queueFaults: readonly ChaosFault[] = [
  {
    name: 'the dispatch queue of the route is purged after kill -9 of its owner',
    on: ['full'],
    acceptsThroughout: true,
    leavesUnknown: true,
    loses: 'jobs',
    lastsMs: 0,
    async inject(installation) {
      const { base, simulator } = installation
      const owner = await installation.owner()
      // RabbitMQ keeps the jobs of steps that wait for the carrier until they are submitted.
      await simulator.pause()
      await waitFor('steps that wait for the carrier', () => areStepsQueued(base.databaseUrl))
      await owner.kill()
      await purgeDuring(pause(purgedMs), installation, (topology) => topology.getQueue('carrier'))
      await simulator.resume()
      owner.start()
    },
  },
  {
    name: 'the queue of receipts is purged',
    on: ['full'],
    acceptsThroughout: true,
    loses: 'receipts',
    lastsMs: 0,
    async inject(installation) {
      const locked = query(
        installation.base.databaseUrl,
        `begin; lock table report_sequences in exclusive mode; select pg_sleep(${lockedSeconds}); commit`,
      )
      await purgeDuring(locked, installation, ({ receipts }) => receipts)
    },
  },
]

/** Reports whether the owner of the route holds more steps than it can claim while the carrier does not respond. */
async function areStepsQueued(databaseUrl: string): Promise<boolean> {
  const queued = await query(
    databaseUrl,
    `select from route_states where route_id = 'carrier' and queued > $1`,
    [queuedParts],
  )
  return queued.length > 0
}

/** Purges a queue repeatedly until the work ends. Fails if the queue was empty throughout. */
async function purgeDuring(
  work: Promise<unknown>,
  { base }: ChaosInstallation,
  choose: (topology: Topology) => QueueSpec,
): Promise<void> {
  const { POSTERN_BROKER_URLS: urls, POSTERN_QUEUE_PREFIX: prefix } = base.environment
  const queue = choose(createTopology(prefix!)).name
  const connection = new Connection({ url: urls!.split(',')[0]! })
  connection.on('error', () => undefined)
  let [isDone, purged] = [false, 0]
  const purge = async (): Promise<boolean> => {
    const { messageCount } = await connection.queuePurge({ queue })
    purged += messageCount
    return isDone
  }
  try {
    const ended = work.finally(() => (isDone = true))
    await Promise.all([ended, waitFor(`the end of the purges of ${queue}`, purge)])
  } finally {
    await connection.close()
  }
  if (purged === 0) throw new Error(`${queue} was purged while it was empty, so nothing was lost`)
  printProgress(`${purged} messages purged from ${queue}`)
}
