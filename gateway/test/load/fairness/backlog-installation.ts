/**
 * An installation with one rate-limited route, an SMPP tap, and a database that is filled before any process
 * starts.
 */
import { openDatabase, type Database } from '../../../src/platform/database/database.ts'
import { maintainPartitions } from '../../../src/records/partitions.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'
import { silentLog } from '../../support/silent-log.ts'
import { SmppTap, type TappedSubmit } from '../smpp-tap.ts'
import { printProgress } from '../../support/measure/progress.ts'

export const routeId = 'paced'

export interface BacklogInstallation {
  readonly base: TestInstallation
  readonly database: Database
  /** Submissions that passed the tap, in order. */
  readonly submits: readonly TappedSubmit[]
  /** Starts the gateway's processes and resolves when the backlog is being submitted. */
  start(roles: readonly ('api' | 'worker')[]): Promise<Gateway[]>
  close(failed: boolean): Promise<void>
}

export async function openBacklogInstallation(partsPerSecond: number): Promise<BacklogInstallation> {
  const base = await TestInstallation.open()
  const submits: TappedSubmit[] = []
  const database = openDatabase(base.databaseUrl, silentLog, { connections: 6 })
  let tap: SmppTap | undefined
  const close = async (failed: boolean): Promise<void> => {
    await database.end()
    await base.close(failed)
    await tap?.close()
  }
  try {
    await maintainPartitions(database, 30, new Date())
    const simulator = await base.startSimulator('smsc', '--receipt-delay-ms', '200')
    tap = await SmppTap.open(simulator.port, (submit) => submits.push(submit))
    const options = { port: tap.port, window: 100 }
    await base.putRoute({ id: routeId, channels: ['sms'], simulator, options, partsPerSecond })
    return {
      base,
      database,
      submits,
      close,
      async start(roles) {
        const gateways = await Promise.all(roles.map((role) => base.startGateway(role, role)))
        await Promise.all(gateways.map((gateway) => gateway.untilReady(60_000)))
        await waitFor('the backlog to be submitted', () => submits.length > 0, { timeoutMs: 60_000 })
        printProgress(`${roles.join(' and ')} started; the backlog is being submitted`)
        return gateways
      },
    }
  } catch (error) {
    await close(true)
    throw error
  }
}
