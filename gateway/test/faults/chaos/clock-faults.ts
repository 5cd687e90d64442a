import { databaseRoles, restartService } from '../../../../tools/engines/index.ts'
import { query } from '../../support/processes/scratch-database.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import { ClockAlert } from './clock-alert.ts'
import { findTimeouts } from './evidence.ts'
import { wrongClock, wrongEngineClock } from '../../support/processes/faketime.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import type { Environment } from '../../support/processes/postern-command.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { ChaosFault } from './fault.ts'

/** Time for which a process has a wrong clock. */
const wrongClockMs = 5_000

interface WrongClock {
  readonly who: string
  readonly deviation: string
  readonly offset: string
  readonly on: ChaosFault['on']
  readonly acceptsThroughout: boolean
  readonly choose: (installation: ChaosInstallation) => Promise<readonly Gateway[]>
}

const anApi = {
  who: 'an API',
  acceptsThroughout: false,
  choose: ({ apis }: ChaosInstallation) => Promise.resolve(apis),
}
const theOwner = {
  who: 'the worker that owns the route',
  acceptsThroughout: true,
  choose: async (installation: ChaosInstallation) => [await installation.owner()],
}
const theOther = {
  who: 'the other worker',
  acceptsThroughout: true,
  choose: (installation: ChaosInstallation) => installation.nonOwners(),
}

const wrongClocks: readonly WrongClock[] = [
  { ...theOwner, deviation: '10 min ahead', offset: '+10m', on: ['short', 'full'] },
  { ...theOther, deviation: '10 min behind', offset: '-10m', on: ['full'] },
  { ...theOther, deviation: '31 days ahead', offset: '+31d', on: ['full'] },
  { ...anApi, deviation: '10 min behind', offset: '-10m', on: ['full'] },
  { ...anApi, deviation: '31 days ahead', offset: '+31d', on: ['full'] },
]

const withWrongClock = new Set<Gateway>()

async function restart(gateway: Gateway, environment?: Environment): Promise<void> {
  await gateway.stop()
  gateway.start(environment)
}

/** Reports whether no step is long overdue. Steps end after receipts from before their deadline are settled. */
async function hasNoneLongOverdue(databaseUrl: string): Promise<boolean> {
  const overdue = await query(
    databaseUrl,
    "select from in_flight where due_at < now() - interval '10 seconds' limit 1",
  )
  return overdue.length === 0
}

/**
 * Corrects times written while the clock was ahead, as in docs/operations/runbooks.md, with the longest time
 * limit of this load. Returns true if none is left.
 */
async function putBack(databaseUrl: string, interval: string): Promise<boolean> {
  // Receipts first: a step whose time limit is put back into the past ends. The delay between two attempts to
  // match a receipt is at most an hour.
  const receipts = await query(
    databaseUrl,
    `update orphan_receipts set retry_at = now() where retry_at > now() + interval '1 hour' returning id`,
  )
  if (receipts.length > 0) return false
  const released = await query(
    databaseUrl,
    `update waiting set release_at = now(), created_at = least(created_at, now())
      where msg_key in (select msg_key from waiting
                         where (created_at > now() or release_at > now() + case reason when 'retry' then interval '1 hour' else interval '1 minute' end)
                           and reason not in ('scheduled', 'rule') for update skip locked)
     returning msg_key`,
  )
  const due = await query(
    databaseUrl,
    `update in_flight set due_at = due_at - $1::interval
      where msg_key in (select msg_key from in_flight f
                         where due_at > now() + interval '2 minutes'
                           and not exists (select from waiting w where w.msg_key = f.msg_key and w.reason in ('scheduled', 'rule'))
                           for update skip locked)
     returning msg_key`,
    [interval],
  )
  return released.length + due.length === 0
}

/**
 * Returns a condition that is true after some seconds without a correction. A message accepted under the
 * wrong clock gets its deadline when it is recorded, possibly after other times were corrected.
 */
function putBackRepeatedly(databaseUrl: string, interval: string): () => Promise<boolean> {
  let changedAt = performance.now()
  return async () => {
    if (!(await putBack(databaseUrl, interval))) changedAt = performance.now()
    return performance.now() - changedAt >= 3_000
  }
}

/** No step may end by its deadline before the alert fires, and the alert must fire for every process. */
const databaseAhead = (interval: string, offset: string): ChaosFault => ({
  name: `PostgreSQL's clock is ${interval} ahead`,
  on: ['full'],
  acceptsThroughout: true,
  noReplacement: true,
  lastsMs: 0,
  async inject({ base }) {
    await waitFor('the end of steps that are long overdue', () => hasNoneLongOverdue(base.databaseUrl), {
      timeoutMs: 60_000,
    })
    await restartService(databaseRoles().primary, wrongEngineClock(offset))
  },
  async repair({ base, gateways }) {
    const alert = new ClockAlert(gateways)
    await waitFor('every process to notice', () => alert.isTrue(), { timeoutMs: 20_000 })
    const timeouts = await findTimeouts(base.databaseUrl)
    await waitFor('the alert', () => alert.fires(), { timeoutMs: alert.forMs + 20_000, everyMs: 1_000 })
    const ended = [...(await findTimeouts(base.databaseUrl))].filter((msgKey) => !timeouts.has(msgKey))
    printProgress(
      `${alert.name} fires after ${alert.afterSeconds} s; ${ended.length} steps ended by their deadline`,
    )
    if (ended.length > 0)
      throw new Error(
        `steps reached their deadline while the PostgreSQL clock was ${interval} ahead: ${ended.join(', ')}`,
      )
    await restartService(databaseRoles().primary)
    await waitFor('the clocks to agree', () => alert.isFalse(), { timeoutMs: 20_000 })
    await waitFor('the times to be put back', putBackRepeatedly(base.databaseUrl, interval), {
      timeoutMs: 60_000,
    })
  },
})

const processFaults = wrongClocks.map(
  ({ who, deviation, offset, on, acceptsThroughout, choose }): ChaosFault => ({
    name: `the clock of ${who} is ${deviation}`,
    on,
    acceptsThroughout,
    byOperator: true,
    lastsMs: wrongClockMs,
    async inject(installation, random) {
      const gateway = random.pick(await choose(installation))
      withWrongClock.add(gateway)
      await restart(gateway, wrongClock(offset))
    },
    async repair() {
      await Promise.all([...withWrongClock].map((gateway) => restart(gateway)))
      withWrongClock.clear()
    },
  }),
)

/** Restarts a process or the PostgreSQL primary with a wrong clock, and later with the correct one. */
export const clockFaults: readonly ChaosFault[] = [
  ...processFaults,
  databaseAhead('10 minutes', '+10m'),
  databaseAhead('31 days', '+31d'),
]
