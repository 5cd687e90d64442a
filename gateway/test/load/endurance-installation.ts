/**
 * An installation as in production, on one machine: two APIs behind a load balancer, two workers, one carrier
 * behind an SMPP tap, and one account that polls its reports.
 */
import { createAccountIn, type Environment } from '../support/processes/postern-command.ts'
import { LoadBalancer } from '../support/processes/load-balancer.ts'
import type { Gateway } from '../support/processes/gateway.ts'
import type { Simulator } from '../support/processes/simulator.ts'
import { TestInstallation, type InstallationOptions } from '../support/processes/test-installation.ts'
import { SmppTap } from './smpp-tap.ts'
import { ReportPoller } from './report-poller.ts'

export interface EnduranceInstallation {
  readonly base: TestInstallation
  readonly apis: readonly Gateway[]
  readonly workers: readonly Gateway[]
  readonly simulator: Simulator
  readonly balancer: LoadBalancer
  readonly poller: ReportPoller
  /** Number of submissions to each recipient. */
  readonly submitted: ReadonlyMap<string, number>
  /** Time of every submission. */
  readonly submitTimes: readonly number[]
  /** Returns the names of processes that had to be killed. */
  close(failed: boolean): Promise<string[]>
}

/** The drain delay is long enough for the load balancer, which checks readiness ten times per second. */
const settings = { POSTERN_DRAIN_DELAY_SECONDS: '2', POSTERN_STEP_TTL_SECONDS: '300' }

/** `more` are further settings; `host` are variables of every process, simulator included. */
export async function openEnduranceInstallation(
  more: Environment = {},
  host: Environment = {},
  options: InstallationOptions = {},
): Promise<EnduranceInstallation> {
  const base = await TestInstallation.open({ ...settings, ...more }, host, options)
  const submitted = new Map<string, number>()
  const submitTimes: number[] = []
  let tap: SmppTap | undefined
  let balancer: LoadBalancer | undefined
  const close = async (failed: boolean): Promise<string[]> => {
    balancer?.close()
    const late = await base.close(failed)
    await tap?.close()
    return late
  }
  try {
    const simulator = await base.startSimulator('smsc', '--receipt-delay-ms', '300')
    tap = await SmppTap.open(simulator.port, ({ at, to }) => {
      submitted.set(to, (submitted.get(to) ?? 0) + 1)
      submitTimes.push(at)
    })
    const link = { port: tap.port, window: 50, reconnectMinMs: 100, reconnectMaxMs: 1_000 }
    await base.putRoute({ id: 'carrier', channels: ['sms'], simulator, options: link })
    const start = (role: 'api' | 'worker') =>
      Promise.all([1, 2].map((number) => base.startGateway(role, `${role}-${number}`)))
    const [apis, workers] = await Promise.all([start('api'), start('worker')])
    const credentials = await createAccountIn(base.root, base.environment, 'endurance')
    await Promise.all([...apis, ...workers].map((gateway) => gateway.untilReady(60_000)))
    balancer = new LoadBalancer(apis, credentials, { connections: 128, timeoutMs: 15_000 })
    await balancer.start()
    const poller = new ReportPoller((call) => balancer!.use(call))
    return { base, apis, workers, simulator, balancer, poller, submitted, submitTimes, close }
  } catch (error) {
    await close(true)
    throw error
  }
}
