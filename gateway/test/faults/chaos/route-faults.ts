import { postern } from '../../support/processes/postern-command.ts'
import { query } from '../../support/processes/scratch-database.ts'
import type { Simulator } from '../../support/processes/simulator.ts'
import { waitFor } from '../../support/wait.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { ChaosFault } from './fault.ts'

const changedMs = 3_000
/** Long enough for a search for submissions without a result, which lookups make every 5 s. */
const otherLoginMs = 12_000
/** Longer than the delay of a receipt. */
const idleMs = 1_000
const openReceipts = 300

const route = ({ base }: ChaosInstallation, ...args: string[]): Promise<string> =>
  postern(base.environment, 'route', ...args)

async function useBackup(installation: ChaosInstallation): Promise<void> {
  await route(installation, 'enable', 'backup')
  await installation.owner('backup')
}

async function useCarrier(installation: ChaosInstallation): Promise<void> {
  await installation.owner()
  await route(installation, 'disable', 'backup')
}

/** Changes the link of the carrier's route, and waits until it is bound again. */
async function changeLink(
  installation: ChaosInstallation,
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { simulator } = installation
  const { binds } = await simulator.stats()
  await installation.putCarrierRoute(options)
  await waitFor('the changed link', async () => (await simulator.stats()).binds > binds)
}

/** Waits until the carrier receives no submission and delivers no receipt. */
async function untilIdle(simulator: Simulator): Promise<void> {
  let [count, since] = [0, 0]
  const isIdle = async (): Promise<boolean> => {
    const { submits, receiptsAnswered } = await simulator.stats()
    if (submits + receiptsAnswered !== count) [count, since] = [submits + receiptsAnswered, performance.now()]
    return performance.now() - since > idleMs
  }
  await waitFor('an idle carrier', isIdle)
}

/** Reports whether lookups will search for a submission within seconds. */
async function isLookupDue(databaseUrl: string): Promise<boolean> {
  const due = await query(
    databaseUrl,
    `select from in_flight where state = 'claimed'
        and due_at between now() + interval '60 seconds' and now() + interval '65 seconds' limit 1`,
  )
  return due.length > 0
}

/**
 * Route changes by an operator under load: the carrier's route is disabled and deleted while a second route
 * serves, and its password and login are changed. No step may be lost, submitted twice or left with an unknown outcome.
 */
export const routeFaults: readonly ChaosFault[] = [
  {
    name: 'the route is disabled while a second one serves',
    on: ['short', 'full'],
    acceptsThroughout: true,
    byOperator: true,
    lastsMs: changedMs,
    async inject(installation) {
      await useBackup(installation)
      await route(installation, 'disable', 'carrier')
    },
    async repair(installation) {
      await route(installation, 'enable', 'carrier')
      await useCarrier(installation)
    },
  },
  {
    name: 'the route is deleted while a second one serves',
    on: ['full'],
    acceptsThroughout: true,
    byOperator: true,
    lastsMs: changedMs,
    async inject(installation) {
      await useBackup(installation)
      await route(installation, 'delete', 'carrier', '--reason', 'chaos')
    },
    async repair(installation) {
      await installation.putCarrierRoute({})
      await useCarrier(installation)
    },
  },
  {
    // The system ID stays the same, because carriers keep receipts per system ID.
    name: 'the password of the route is changed',
    on: ['short', 'full'],
    acceptsThroughout: true,
    byOperator: true,
    lastsMs: 0,
    inject: (installation) => installation.putCarrierRoute({ password: `new-${Date.now() % 1_000}` }),
  },
  {
    // The carrier keeps the receipts of open submissions until the route has their login again.
    name: 'the route has another login while submissions are open',
    on: ['full'],
    acceptsThroughout: true,
    byOperator: true,
    lastsMs: otherLoginMs,
    async inject(installation) {
      const { base, simulator } = installation
      await waitFor('a lookup', () => isLookupDue(base.databaseUrl), { timeoutMs: 60_000, everyMs: 500 })
      const { receiptsPending } = await simulator.stats()
      await simulator.holdReceipts()
      await waitFor(
        'open submissions',
        async () => (await simulator.stats()).receiptsPending > receiptsPending + openReceipts,
      )
      await changeLink(installation, { systemId: 'other', lookup: true })
      await simulator.releaseReceipts()
    },
    async repair(installation) {
      const { simulator } = installation
      await route(installation, 'pause', 'carrier')
      await untilIdle(simulator)
      const { queries, cancels } = await simulator.stats()
      await changeLink(installation, {})
      await route(installation, 'enable', 'carrier')
      // No submission of the other login is old enough to be looked up.
      if (queries + cancels > 0)
        throw new Error(`${queries} queries and ${cancels} cancellations with a login that did not submit`)
    },
  },
]
