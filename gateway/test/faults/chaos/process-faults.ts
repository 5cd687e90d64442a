import { setTimeout as pause } from 'node:timers/promises'
import type { Gateway } from '../../support/processes/gateway.ts'
import type { ChaosFault } from './fault.ts'
import { query } from '../../support/processes/scratch-database.ts'
import { waitFor } from '../../support/wait.ts'
import type { ChaosInstallation } from './chaos-installation.ts'

const frozenMs = 15_000
/** Longer than all heartbeats and timeouts. */
const longFrozenMs = 120_000

function startMissing({ gateways }: ChaosInstallation): Promise<void> {
  for (const gateway of gateways) if (!gateway.running) gateway.start()
  return Promise.resolve()
}

const other = async (installation: ChaosInstallation): Promise<Gateway> =>
  (await installation.nonOwners())[0]!

function thawAll({ gateways }: ChaosInstallation): Promise<void> {
  for (const gateway of gateways) gateway.thaw()
  return Promise.resolve()
}

/** Faults of gateway processes: killed, stopped or frozen (SIGSTOP). */
export const processFaults: readonly ChaosFault[] = [
  {
    name: 'kill -9 of an API',
    on: ['short', 'full'],
    acceptsThroughout: false,
    lastsMs: 0,
    inject: ({ apis }, random) => random.pick(apis).kill(),
    repair: startMissing,
  },
  {
    name: 'kill -9 of the worker that owns the route',
    on: ['short', 'full'],
    acceptsThroughout: true,
    leavesUnknown: true,
    lastsMs: 3_000,
    inject: async (installation) => (await installation.owner()).kill(),
    repair: startMissing,
  },
  {
    name: 'kill -9 of the other worker',
    on: ['short', 'full'],
    acceptsThroughout: true,
    leavesUnknown: true,
    lastsMs: 3_000,
    inject: async (installation) => (await other(installation)).kill(),
    repair: startMissing,
  },
  {
    name: 'SIGTERM of the worker that owns the route',
    on: ['full'],
    acceptsThroughout: true,
    lastsMs: 1_000,
    async inject(installation) {
      await (await installation.owner()).stop()
    },
    repair: startMissing,
  },
  {
    name: 'an API is frozen for 15 s',
    on: ['full'],
    acceptsThroughout: false,
    lastsMs: frozenMs,
    inject({ apis }, random) {
      random.pick(apis).freeze()
      return Promise.resolve()
    },
    repair: thawAll,
  },
  {
    // The connection of a killed process closes immediately. A frozen one is detected only by missed
    // heartbeats, so recovery takes longer.
    name: 'the worker that owns the route is frozen for 15 s',
    on: ['full'],
    acceptsThroughout: true,
    leavesUnknown: true,
    lastsMs: frozenMs,
    inject: async (installation) => (await installation.owner()).freeze(),
    repair: thawAll,
  },
  {
    name: 'the other worker is frozen for 15 s',
    on: ['full'],
    acceptsThroughout: true,
    leavesUnknown: true,
    lastsMs: frozenMs,
    inject: async (installation) => (await other(installation)).freeze(),
    repair: thawAll,
  },
  {
    name: 'a worker is frozen for 120 s at a random moment',
    on: ['full'],
    acceptsThroughout: true,
    leavesUnknown: true,
    lastsMs: longFrozenMs,
    async inject({ workers }, random) {
      await pause(random.below(1_000))
      random.pick(workers).freeze()
    },
    repair: thawAll,
  },
  {
    name: 'a worker that holds a duty is frozen for 120 s',
    on: ['full'],
    acceptsThroughout: true,
    leavesUnknown: true,
    lastsMs: longFrozenMs,
    inject: async (installation, random) => random.pick(await dutyHolders(installation)).freeze(),
    repair: thawAll,
  },
]

/** Returns the holder of each worker duty. */
function dutyHolders({ base, workers }: ChaosInstallation): Promise<readonly Gateway[]> {
  return waitFor('a worker that has a duty', async () => {
    const duties = await query<{ pid: number }>(
      base.databaseUrl,
      `select m.pid from owned o join members m on m.id = o.member where o.kind = 'duty' order by o.key`,
    )
    const holders = duties.flatMap((duty) => workers.find(({ pid }) => pid === duty.pid) ?? [])
    return holders.length > 0 ? holders : undefined
  })
}
