/** One route with a pace, a carrier whose door is watched, and a database that can be filled before anything runs. */
import { openDatabase, type Database } from '../../src/platform/database.ts'
import { maintainPartitions } from '../../src/records/partitions.ts'
import type { Gateway } from '../support/processes/gateway.ts'
import { Site } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'
import { quietLog } from '../support/quiet.ts'
import { CarrierDoor, type Passage } from './smpp-tap.ts'
import { say } from '../support/progress.ts'

export const routeId = 'paced'

export interface QueueSite {
  readonly site: Site
  readonly database: Database
  /** Submissions in order. */
  readonly passages: readonly Passage[]
  /** Starts the gateway's processes and resolves when the backlog is being submitted. */
  start(roles: readonly ('api' | 'worker')[]): Promise<Gateway[]>
  close(failed: boolean): Promise<void>
}

export async function openQueueSite(partsPerSecond: number): Promise<QueueSite> {
  const site = await Site.open()
  const passages: Passage[] = []
  const database = openDatabase(site.databaseUrl, quietLog, { connections: 6 })
  let door: CarrierDoor | undefined
  const close = async (failed: boolean): Promise<void> => {
    await database.end()
    await site.close(failed)
    await door?.close()
  }
  try {
    await maintainPartitions(database, 30, new Date())
    const simulator = await site.startSimulator('smsc', '--receipt-delay-ms', '200')
    door = await CarrierDoor.open(simulator.port, (passage) => passages.push(passage))
    const options = { port: door.port, window: 100 }
    await site.putRoute({ id: routeId, channels: ['sms'], simulator, options, partsPerSecond })
    return {
      ...{ site, database, passages, close },
      async start(roles) {
        const gateways = await Promise.all(roles.map((role) => site.startGateway(role, role)))
        await Promise.all(gateways.map((gateway) => gateway.untilReady(60_000)))
        await waitFor('the backlog to be submitted', () => passages.length > 0, { timeoutMs: 60_000 })
        say(`${roles.join(' and ')} started; the backlog is being submitted`)
        return gateways
      },
    }
  } catch (error) {
    await close(true)
    throw error
  }
}
