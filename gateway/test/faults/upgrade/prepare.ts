import { printProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import { lockReports, preventRecording } from './obstacles.ts'
import type { StateSender } from './sender.ts'
import {
  closedStates,
  disabledRouteStates,
  intakeStates,
  openStates,
  parked,
  receiptsQueued,
  scheduled,
  type UpgradeState,
} from './states.ts'
import type { UpgradedInstallation } from './upgraded-installation.ts'

export interface PreparedState {
  /** ID of a batch that was polled but not acknowledged. */
  readonly reportId: string
}

/** Brings messages into every state with the processes of the earlier release, then stops them. */
export async function prepareStates(
  installation: UpgradedInstallation,
  sender: StateSender,
): Promise<PreparedState> {
  const { base, api, worker, carrier, receiver, polled } = installation
  for (const state of closedStates) await sendUntilReached(sender, state)
  const pushes = sender.sent.filter(({ state }) => state.pushed)
  await waitFor('the webhook to refuse every report', () => receiver.refused.size === pushes.length)
  const { data } = (await polled.poll()).body
  if (data === undefined || data.report.length === 0) throw new Error('polling returned no reports')

  const [, fallback] = disabledRouteStates
  for (const state of disabledRouteStates) await sender.send(state)
  for (const state of openStates) await sender.send(state)
  await sender.untilReached(fallback!, ({ second }, count) => second === count)
  await installation.disableSandbox()
  for (const state of disabledRouteStates) await sender.untilReached(state)
  for (const state of openStates) await sender.untilReached(state)
  await sender.send(scheduled)
  await sender.untilReached(scheduled)

  const obstacle = await preventRecording(base.databaseUrl)
  await sendUntilReached(sender, parked)
  await obstacle.remove()

  const lock = await lockReports(base.databaseUrl)
  const answeredBefore = (await carrier.stats()).receiptsAnswered
  await sendUntilReached(sender, receiptsQueued)
  await waitFor(
    'the receipts to be in the queue',
    async () => (await carrier.stats()).receiptsAnswered >= answeredBefore + receiptsQueued.count,
    { timeoutMs: 20_000 },
  )
  await worker.stop()
  await lock.release()
  for (const state of intakeStates) await sender.send(state)
  await api.stop()
  await checkStates(sender)
  return { reportId: data.reportId }
}

async function sendUntilReached(sender: StateSender, state: UpgradeState): Promise<void> {
  await sender.send(state)
  await sender.untilReached(state)
}

/** Throws if messages have left their state. */
async function checkStates(sender: StateSender): Promise<void> {
  for (const state of new Set(sender.sent.map((one) => one.state))) {
    const found = await sender.locate(state)
    printProgress(`${String(state.count).padStart(4)}  ${state.name}`)
    if (!state.isReached(found, state.count))
      throw new Error(`state not reached: ${state.name}: found ${JSON.stringify(found)}`)
  }
}
