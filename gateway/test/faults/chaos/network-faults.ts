import type { Gateway } from '../../support/processes/gateway.ts'
import type { ChaosFault } from './fault.ts'
import type { Engine } from './network.ts'
import type { ChaosInstallation } from './chaos-installation.ts'

const cutSeconds = 8
/**
 * Longer than the keepalives of PostgreSQL (25 s) and the statement timeout, so that nothing waits for a
 * reset.
 */
const veryLongCutSeconds = 60
/** Longer than the connection timeout of the broker: another worker must take over. */
const longCutSeconds = 15

interface Cut {
  readonly who: string
  readonly from: Engine
  readonly acceptsThroughout: boolean
  readonly seconds: number
  readonly choose: (installation: ChaosInstallation) => Promise<readonly Gateway[]>
}

const apis = (installation: ChaosInstallation): Promise<readonly Gateway[]> =>
  Promise.resolve(installation.apis)
const owner = async (installation: ChaosInstallation): Promise<readonly Gateway[]> => [
  await installation.owner(),
]
const others = (installation: ChaosInstallation): Promise<readonly Gateway[]> => installation.nonOwners()

const cuts: readonly Cut[] = [
  { who: 'an API', from: 'broker', acceptsThroughout: false, seconds: cutSeconds, choose: apis },
  { who: 'an API', from: 'database', acceptsThroughout: true, seconds: cutSeconds, choose: apis },
  {
    who: 'the worker that owns the route',
    from: 'broker',
    acceptsThroughout: true,
    seconds: longCutSeconds,
    choose: owner,
  },
  {
    who: 'the worker that owns the route',
    from: 'database',
    acceptsThroughout: true,
    seconds: cutSeconds,
    choose: owner,
  },
  {
    who: 'the worker that owns the route',
    from: 'database',
    acceptsThroughout: true,
    seconds: veryLongCutSeconds,
    choose: owner,
  },
  { who: 'the other worker', from: 'broker', acceptsThroughout: true, seconds: cutSeconds, choose: others },
  { who: 'the other worker', from: 'database', acceptsThroughout: true, seconds: cutSeconds, choose: others },
]

/** Network partitions: packets between a process and an engine are dropped, then connections are reset. */
export const networkFaults: readonly ChaosFault[] = [
  ...cuts.map(({ who, from, acceptsThroughout, seconds, choose }): ChaosFault => ({
    name: `${who} is cut off from the ${from} for ${seconds} s`,
    on: ['full'],
    acceptsThroughout,
    leavesUnknown: who !== 'an API',
    lastsMs: seconds * 1000,
    async inject(installation, random) {
      await installation.network!.cut(random.pick(await choose(installation)).name, from)
    },
    repair: (installation) => installation.network!.restoreAll(),
  })),
  {
    name: `the carrier is cut off for ${cutSeconds} s`,
    on: ['full'],
    acceptsThroughout: true,
    leavesUnknown: true,
    lastsMs: cutSeconds * 1000,
    inject: (installation) => installation.network!.cut('owner', 'carrier'),
    repair: (installation) => installation.network!.restoreAll(),
  },
  {
    name: 'the carrier disconnects',
    on: ['full'],
    acceptsThroughout: true,
    leavesUnknown: true,
    lastsMs: 0,
    inject: ({ simulator }) => simulator.disconnect(),
  },
]
