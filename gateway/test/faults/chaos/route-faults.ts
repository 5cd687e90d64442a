import { postern } from '../../support/processes/postern-command.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { ChaosFault } from './fault.ts'

const changedMs = 3_000

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

/**
 * Route changes by an operator under load: the carrier's route is disabled and deleted while a second route
 * serves, and its login is changed. No step may be lost, submitted twice or left with an unknown outcome.
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
]
