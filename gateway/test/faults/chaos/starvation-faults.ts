import { findReasonForNoQuota, holdToQuota } from '../../support/processes/cpu-quota.ts'
import type { ChaosFault } from './fault.ts'
import { OwnerWatch } from './owner-watch.ts'

/** A process uses about one core at most: this is a fifth of it, a usual quota of a container. */
const cores = 1 / 5
const starvedMs = 60_000

const lifts: (() => void)[] = []
let owners: OwnerWatch | undefined

/** The gateway has too little CPU, as in a container with a quota; the engines and the carrier have all. */
export const starvationFaults: readonly ChaosFault[] = [
  {
    name: 'starved: every gateway process has a fifth of a core for 60 s',
    on: ['full'],
    acceptsThroughout: false,
    slows: true,
    lastsMs: starvedMs,
    findObstacle: findReasonForNoQuota,
    inject({ base, gateways }) {
      owners = new OwnerWatch(base.databaseUrl)
      for (const { pid } of gateways) if (pid !== undefined) lifts.push(holdToQuota(pid, cores))
      return Promise.resolve()
    },
    async repair() {
      for (const lift of lifts.splice(0)) lift()
      const moved = await owners!.stop()
      if (moved.length > 0) throw new Error(`while the gateway was starved, ${moved.join('; ')}`)
    },
  },
]
