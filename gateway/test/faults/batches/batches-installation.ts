/** An API, two workers and one carrier behind an SMPP tap, which shows when each recipient is submitted. */
import { ReportPoller } from '../../load/report-poller.ts'
import { SmppTap, type TappedSubmit } from '../../load/smpp-tap.ts'
import { createAccount } from '../../support/processes/postern-command.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import type { Simulator } from '../../support/processes/simulator.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'
import { BatchClient } from './batch-client.ts'

/** Recipients of one-time codes begin with these digits. */
export const codesPrefix = '0109'

/** The heap that Node chooses in a container of 1 GiB, the limit of the chart. On a large machine it is larger. */
const chartHeap = '--max-old-space-size=512 --max-semi-space-size=16'

/** A busy machine needs minutes to start four processes. */
const startMs = 180_000

export interface BatchesInstallation {
  readonly base: TestInstallation
  readonly api: Gateway
  readonly workers: readonly Gateway[]
  readonly simulator: Simulator
  /** Time of the last submission to each recipient, and the number of submissions. */
  readonly submitted: ReadonlyMap<string, { readonly at: number; readonly times: number }>
  /** Submissions of one-time codes, in order. */
  readonly codes: readonly TappedSubmit[]
  /** Limits the route. With 0 it has no limit. */
  setRate(partsPerSecond: number): Promise<void>
  openAccount(name: string): Promise<BatchClient>
  /** Polls the reports of an account until the installation is closed. */
  pollReports(client: BatchClient): ReportPoller
  /** Returns the names of processes that had to be killed. */
  close(failed: boolean): Promise<string[]>
}

export async function openBatchesInstallation(partsPerSecond: number): Promise<BatchesInstallation> {
  const base = await TestInstallation.open()
  const submitted = new Map<string, { at: number; times: number }>()
  const codes: TappedSubmit[] = []
  const clients: BatchClient[] = []
  const pollers: ReportPoller[] = []
  let tap: SmppTap | undefined
  const close = async (failed: boolean): Promise<string[]> => {
    await Promise.all(pollers.map((poller) => poller.stop()))
    for (const client of clients) client.close()
    const late = await base.close(failed)
    await tap?.close()
    return late
  }
  try {
    const record = ['--record', '--record-limit', '3000000', '--receipt-delay-ms', '200']
    const [simulator, api, ...workers] = await Promise.all([
      base.startSimulator('smsc', ...record),
      base.startGateway('api', 'api', { NODE_OPTIONS: chartHeap }),
      base.startGateway('worker', 'worker-1'),
      base.startGateway('worker', 'worker-2'),
    ])
    const { port } = (tap = await SmppTap.open(simulator.port, (submit) => {
      const { at, to } = submit
      submitted.set(to, { at, times: (submitted.get(to)?.times ?? 0) + 1 })
      if (to.startsWith(codesPrefix)) codes.push(submit)
    }))
    const options = { port, window: 50, reconnectMinMs: 100, reconnectMaxMs: 1_000 }
    const setRate = (rate: number): Promise<void> =>
      base.putRoute({ id: 'carrier', channels: ['sms'], simulator, options, partsPerSecond: rate })
    await Promise.all([
      setRate(partsPerSecond),
      ...[api, ...workers].map((gateway) => gateway.untilReady(startMs)),
    ])
    await waitFor(
      'a worker to be linked with the carrier',
      async () => {
        const links = await Promise.all(workers.map((worker) => worker.metric('postern_route_linked')))
        return links.some((linked) => linked > 0)
      },
      { timeoutMs: startMs },
    )
    return {
      base,
      api,
      workers,
      simulator,
      submitted,
      codes,
      setRate,
      async openAccount(name) {
        const client = await BatchClient.open(api.url, await createAccount(base.environment, name))
        clients.push(client)
        return client
      },
      pollReports({ account }) {
        const poller = new ReportPoller((ask) => ask(account))
        pollers.push(poller)
        return poller
      },
      close,
    }
  } catch (error) {
    await close(true)
    throw error
  }
}
