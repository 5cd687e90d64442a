/**
 * What the faults are played on: one API, two workers, one carrier with one route, and the engines of a service
 * set that this run may restart. A process that dies by itself is started again, as a supervisor would do it,
 * and counts against the gateway at the end.
 */
import { serviceUrls } from '../../../scripts/services/index.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Simulator } from '../harness/simulator.ts'
import { Site } from '../harness/site.ts'
import { waitFor } from '../harness/wait.ts'

const routeId = 'carrier'
const superviseMs = 250

export interface Stage {
  readonly site: Site
  readonly simulator: Simulator
  readonly api: Gateway
  readonly workers: readonly Gateway[]
  /** The worker that holds the route's link now. */
  owner(timeoutMs?: number): Promise<Gateway>
  /** The workers that do not. */
  others(): Promise<Gateway[]>
  untilAllReady(timeoutMs: number): Promise<void>
  close(failed: boolean): Promise<string[]>
}

/** Why the run must not begin: restarting somebody else's PostgreSQL is not for a test to do. */
export function foreignEngines(): string | undefined {
  const { POSTERN_DATABASE_URL, POSTERN_BROKER_URLS } = process.env
  try {
    const own = serviceUrls()
    if (own.databaseUrl === POSTERN_DATABASE_URL && own.brokerUrls.join(',') === POSTERN_BROKER_URLS) return
  } catch {
    // There is no set at all.
  }
  return (
    'chaos restarts PostgreSQL and RabbitMQ, so it runs only on a service set of its own: unset ' +
    'POSTERN_DATABASE_URL, POSTERN_BROKER_URLS and POSTERN_REDIS_URL, or let POSTERN_SERVICES_DIR name ' +
    'the set that they belong to'
  )
}

export async function openStage(stepTtlSeconds: number): Promise<Stage> {
  const site = await Site.open({ POSTERN_STEP_TTL_SECONDS: String(stepTtlSeconds) })
  try {
    return await build(site)
  } catch (error) {
    await site.close(true)
    throw error
  }
}

async function build(site: Site): Promise<Stage> {
  const simulator = await site.startSimulator('smsc', '--record', '--receipt-delay-ms', '300')
  const [api, first, second] = await Promise.all([
    site.startGateway('api', 'api'),
    site.startGateway('worker', 'worker-1'),
    site.startGateway('worker', 'worker-2'),
    site.putRoute({
      id: routeId,
      channels: ['sms'],
      simulator,
      options: { window: 50, receiptUtcOffsetMinutes: 0, reconnectMinMs: 200, reconnectMaxMs: 1_000 },
    }),
  ])
  const workers = [first, second]
  const gateways = [api, first, second]
  const supervisor = setInterval(() => {
    for (const gateway of gateways) if (gateway.endedByItself) gateway.start()
  }, superviseMs)

  const isOwner = async (worker: Gateway): Promise<boolean> =>
    worker.running && (await worker.metric('postern_route_linked', routeId)) === 1
  const owner = (timeoutMs = 15_000): Promise<Gateway> =>
    waitFor(
      async () => {
        for (const worker of workers) if (await isOwner(worker)) return worker
        return undefined
      },
      'a worker that owns the route',
      timeoutMs,
    )
  return {
    site,
    simulator,
    api,
    workers,
    owner,
    async others() {
      const current = await owner()
      return workers.filter((worker) => worker !== current)
    },
    async untilAllReady(timeoutMs) {
      await Promise.all(gateways.map((gateway) => gateway.untilReady(timeoutMs)))
    },
    async close(failed) {
      clearInterval(supervisor)
      return site.close(failed)
    },
  }
}
