/**
 * Wrong clocks: one process, or the PostgreSQL primary, is restarted as on a host whose clock is wrong, and after a while as
 * on a correct one.
 */
import { databaseRoles, restartService } from '../../../scripts/services/index.ts'
import { query } from '../support/processes/scratch-database.ts'
import { printProgress } from '../support/progress.ts'
import { waitFor } from '../support/wait.ts'
import { ClockAlert } from './clock-alert.ts'
import { countTimeouts } from './evidence.ts'
import { wrongClock, wrongEngineClock } from '../support/processes/faketime.ts'
import type { Gateway } from '../support/processes/gateway.ts'
import type { Environment } from '../support/processes/postern-command.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { Fault } from './fault.ts'

const wrongMs = 5_000

interface WrongClock {
  readonly who: string
  readonly what: string
  readonly offset: string
  readonly on: Fault['on']
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
  choose: (installation: ChaosInstallation) => installation.others(),
}

const wrongClocks: readonly WrongClock[] = [
  { ...theOwner, what: '10 min ahead', offset: '+10m', on: ['short', 'full'] },
  { ...theOther, what: '10 min behind', offset: '-10m', on: ['full'] },
  { ...theOther, what: '31 days ahead', offset: '+31d', on: ['full'] },
  { ...anApi, what: '10 min behind', offset: '-10m', on: ['full'] },
  { ...anApi, what: '31 days ahead', offset: '+31d', on: ['full'] },
]

const wrong = new Set<Gateway>()

async function restart(gateway: Gateway, environment?: Environment): Promise<void> {
  await gateway.stop()
  gateway.start(environment)
}

/** Steps end when the receipts from before their deadline are settled, so a few are always overdue by a second or two. */
async function hasNoneLongOverdue(databaseUrl: string): Promise<boolean> {
  const overdue = await query(
    databaseUrl,
    "select from in_flight where due_at < now() - interval '10 seconds' limit 1",
  )
  return overdue.length === 0
}

/**
 * Puts back the times that were written while the clock was ahead, as docs/operations/runbooks/PosternClockJump.md does, with the
 * longest time limit of this load. Returns true if there is none left.
 */
async function putBack(databaseUrl: string, interval: string): Promise<boolean> {
  const released = await query(
    databaseUrl,
    `update waiting set release_at = release_at - $1::interval, created_at = created_at - $1::interval
      where msg_key in (select msg_key from waiting where created_at > now() and reason not in ('scheduled', 'rule') for update skip locked)
     returning msg_key`,
    [interval],
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

/** Nothing ends by its deadline while the alert becomes due, and the alert fires at every process. */
const databaseAhead = (interval: string, offset: string): Fault => ({
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
    const timeouts = await countTimeouts(base.databaseUrl)
    await waitFor('the alert', () => alert.fires(), { timeoutMs: alert.forMs + 20_000, everyMs: 1_000 })
    const ended = (await countTimeouts(base.databaseUrl)) - timeouts
    printProgress(`${alert.name} fires after ${alert.afterSeconds} s; ${ended} steps ended by their deadline`)
    if (ended > 0)
      throw new Error(`${ended} steps ended by their deadline while PostgreSQL's clock was ${interval} ahead`)
    await restartService(databaseRoles().primary)
    await waitFor('the clocks to agree', async () => !(await alert.isTrue()), { timeoutMs: 20_000 })
    await waitFor('the times to be put back', () => putBack(base.databaseUrl, interval))
  },
})

const processFaults = wrongClocks.map(({ who, what, offset, on, acceptsThroughout, choose }): Fault => ({
  name: `the clock of ${who} is ${what}`,
  on,
  acceptsThroughout,
  byOperator: true,
  lastsMs: wrongMs,
  async inject(installation, random) {
    const gateway = random.pick(await choose(installation))
    wrong.add(gateway)
    await restart(gateway, wrongClock(offset))
  },
  async repair() {
    await Promise.all([...wrong].map((gateway) => restart(gateway)))
    wrong.clear()
  },
}))

export const clockFaults: readonly Fault[] = [
  ...processFaults,
  databaseAhead('10 minutes', '+10m'),
  databaseAhead('31 days', '+31d'),
]
