import type { Gateway, RoleName } from '../../support/processes/gateway.ts'
import type { Simulator } from '../../support/processes/simulator.ts'
import { postern } from '../../support/processes/postern-command.ts'
import { TestInstallation, type RouteOptions } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'
import type { RouteId } from './message-mix.ts'
import { Network } from './network.ts'

const superviseMs = 250

/**
 * Maximum unanswered parts on the carrier's link. Up to twice as many parts can be claimed when a process
 * dies.
 */
export const carrierWindow = 50

/**
 * Installation for fault injection: APIs, two workers, a simulated carrier and the sandbox, on a service set
 * that the run can break. Processes that exit unexpectedly are restarted, as by a supervisor, and reported as
 * findings at the end.
 */
export interface ChaosInstallation {
  readonly base: TestInstallation
  readonly simulator: Simulator
  readonly apis: readonly Gateway[]
  readonly workers: readonly Gateway[]
  readonly gateways: readonly Gateway[]
  /** Network between processes and engines; only in the full run. */
  readonly network: Network | undefined
  /** Returns the worker that owns a route, by default the carrier's route. */
  owner(routeId?: RouteId): Promise<Gateway>
  /** Creates or replaces the carrier's route with additional options. */
  putCarrierRoute(options: Readonly<Record<string, unknown>>): Promise<void>
  /** Returns the workers that do not own the carrier's route. */
  nonOwners(): Promise<Gateway[]>
  untilAllReady(timeoutMs: number): Promise<void>
  /** Returns the names of the programs that did not stop in time. */
  close(failed: boolean): Promise<string[]>
}

export interface ChaosInstallationOptions {
  /** Starts two APIs and a network that can be cut. */
  readonly full: boolean
  readonly stepTtlSeconds: number
}

export async function openChaosInstallation({
  full,
  stepTtlSeconds,
}: ChaosInstallationOptions): Promise<ChaosInstallation> {
  const base = await TestInstallation.open({
    POSTERN_STEP_TTL_SECONDS: String(stepTtlSeconds),
    // All load comes from one account, whose limit is not tested here.
    POSTERN_SEND_LIMIT: '0',
  })
  let network: Network | undefined
  try {
    network = full ? await Network.open(base.directory) : undefined
    return await build(base, network)
  } catch (error) {
    await base.close(true)
    await network?.close()
    throw error
  }
}

async function build(base: TestInstallation, network: Network | undefined): Promise<ChaosInstallation> {
  const simulator = await base.startSimulator(
    'smsc',
    ...['--record', '--record-limit', '3000000', '--receipt-delay-ms', '300'],
  )
  const port = network === undefined ? simulator.port : await network.connectCarrier(simulator.port)
  const putCarrierRoute: ChaosInstallation['putCarrierRoute'] = (options) =>
    base.putRoute(smppRoute('carrier', simulator, { port, ...options }))
  await putCarrierRoute({})
  // The backup route is enabled only while a fault removes the carrier's route: otherwise it would hide other
  // faults. Both routes have the same login, so receipts of a disabled route arrive over the other one.
  await base.putRoute(smppRoute('backup', simulator, { port, systemId: 'carrier' }))
  await postern(base.environment, 'route', 'disable', 'backup')
  await base.putRoute({ id: 'sandbox' satisfies RouteId, channels: ['rcs', 'alimtalk'] })
  const start = async (role: RoleName, name: string): Promise<Gateway> => {
    const urls = { database: base.databaseUrlOf(role), brokers: base.environment.POSTERN_BROKER_URLS! }
    return base.startGateway(role, name, await network?.connect(name, urls))
  }
  const [apis, workers] = await Promise.all([
    Promise.all((network ? ['api-1', 'api-2'] : ['api-1']).map((name) => start('api', name))),
    Promise.all(['worker-1', 'worker-2'].map((name) => start('worker', name))),
  ])
  const gateways = [...apis, ...workers]
  const supervisor = setInterval(() => {
    for (const gateway of gateways) if (gateway.exitedUnexpectedly) gateway.start()
  }, superviseMs)

  const isOwner = async (worker: Gateway, routeId: RouteId): Promise<boolean> =>
    worker.running && (await worker.metric('postern_route_linked', `"${routeId}"`)) === 1
  const owner = (routeId: RouteId = 'carrier'): Promise<Gateway> =>
    waitFor(
      `a worker that owns the route ${routeId}`,
      async () => {
        const claims = await Promise.all(workers.map((worker) => isOwner(worker, routeId)))
        // A frozen worker reports itself as owner until it detects the loss.
        return claims.filter(Boolean).length === 1 ? workers[claims.indexOf(true)] : undefined
      },
      { timeoutMs: 15_000 },
    )
  return {
    base,
    simulator,
    apis,
    workers,
    gateways,
    network,
    owner,
    putCarrierRoute,
    async nonOwners() {
      const current = await owner()
      return workers.filter((worker) => worker !== current)
    },
    async untilAllReady(timeoutMs) {
      await Promise.all(gateways.map((gateway) => gateway.untilReady(timeoutMs)))
    },
    async close(failed) {
      clearInterval(supervisor)
      const late = await base.close(failed)
      await network?.close()
      return late
    },
  }
}

function smppRoute(
  id: RouteId,
  simulator: Simulator,
  options: Readonly<Record<string, unknown>>,
): RouteOptions {
  return {
    id,
    simulator,
    channels: ['sms', 'international'],
    options: {
      errors: { '001': 'no-subscriber' },
      window: carrierWindow,
      receiptUtcOffsetMinutes: 0,
      reconnectMinMs: 200,
      reconnectMaxMs: 1_000,
      // Typical values of carriers: a cut must be detected before the deadline of waiting messages.
      enquireIntervalMs: 3_000,
      enquireTimeoutMs: 3_000,
      responseTimeoutMs: 10_000,
      ...options,
    },
  }
}
