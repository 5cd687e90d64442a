/** Our own processes die or stand still. */
import type { Gateway } from '../support/processes/gateway.ts'
import type { Fault } from './fault.ts'
import type { Stage } from './chaos-installation.ts'

const frozenMs = 15_000

function startMissing({ gateways }: Stage): Promise<void> {
  for (const gateway of gateways) if (!gateway.running) gateway.start()
  return Promise.resolve()
}

const other = async (stage: Stage): Promise<Gateway> => (await stage.others())[0]!

function thawAll({ gateways }: Stage): Promise<void> {
  for (const gateway of gateways) gateway.thaw()
  return Promise.resolve()
}

export const processFaults: readonly Fault[] = [
  {
    name: 'kill -9 of an API',
    on: ['short', 'full'],
    acceptsThroughout: false,
    lastsMs: 0,
    strike: ({ apis }, random) => random.pick(apis).kill(),
    mend: startMissing,
  },
  {
    name: 'kill -9 of the worker that owns the route',
    on: ['short', 'full'],
    acceptsThroughout: true,
    lastsMs: 3_000,
    strike: async (stage) => (await stage.owner()).kill(),
    mend: startMissing,
  },
  {
    name: 'kill -9 of the other worker',
    on: ['short', 'full'],
    acceptsThroughout: true,
    lastsMs: 3_000,
    strike: async (stage) => (await other(stage)).kill(),
    mend: startMissing,
  },
  {
    name: 'SIGTERM of the worker that owns the route',
    on: ['full'],
    acceptsThroughout: true,
    lastsMs: 1_000,
    async strike(stage) {
      await (await stage.owner()).stop()
    },
    mend: startMissing,
  },
  {
    name: 'an API stands still for 15 s',
    on: ['full'],
    acceptsThroughout: false,
    lastsMs: frozenMs,
    strike({ apis }, random) {
      random.pick(apis).freeze()
      return Promise.resolve()
    },
    mend: thawAll,
  },
  {
    // Only silence tells the broker, so this takes some of its heartbeats where a dead process takes none.
    name: 'the worker that owns the route stands still for 15 s',
    on: ['full'],
    acceptsThroughout: true,
    lastsMs: frozenMs,
    strike: async (stage) => (await stage.owner()).freeze(),
    mend: thawAll,
  },
  {
    name: 'the other worker stands still for 15 s',
    on: ['full'],
    acceptsThroughout: true,
    lastsMs: frozenMs,
    strike: async (stage) => (await other(stage)).freeze(),
    mend: thawAll,
  },
]
