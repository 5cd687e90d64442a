/** Brings messages into every state with the processes of the earlier release, and stops these. */
import { printProgress } from '../support/progress.ts'
import { waitFor } from '../support/wait.ts'
import { lockReports, refuseRecording } from './obstacles.ts'
import type { Sender } from './sender.ts'
import { closed, disabled, first, open, parked, receiptsQueued, scheduled, type State } from './states.ts'
import type { UpgradedInstallation } from './upgraded-installation.ts'

export interface Prepared {
  /** The batch that was read and not acknowledged. */
  readonly reportId: string
  readonly inBatch: readonly string[]
}

export async function prepare(installation: UpgradedInstallation, sender: Sender): Promise<Prepared> {
  const { base, api, worker, carrier, receiver, polled } = installation
  for (const state of closed) await sendUntilReached(sender, state)
  const pushes = sender.sent.filter(({ state }) => state.pushed)
  await waitFor('the webhook to refuse every report', () => receiver.refused.size === pushes.length)
  const { data } = (await polled.poll()).body
  if (data === undefined || data.report.length === 0) throw new Error('polling gave no report')

  const [, fallback] = disabled
  for (const state of disabled) await sender.send(state)
  for (const state of open) await sender.send(state)
  await sender.untilReached(fallback!, ({ second }, count) => second === count)
  await installation.disableSandbox()
  for (const state of disabled) await sender.untilReached(state)
  for (const state of open) await sender.untilReached(state)
  await sender.send(scheduled)
  await sender.untilReached(scheduled)

  const obstacle = await refuseRecording(base.databaseUrl)
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
  for (const state of first) await sender.send(state)
  await api.stop()
  await checkStates(sender)
  return { reportId: data.reportId, inBatch: data.report.map(({ msgKey }) => msgKey) }
}

async function sendUntilReached(sender: Sender, state: State): Promise<void> {
  await sender.send(state)
  await sender.untilReached(state)
}

/** A state that nothing is in would prove nothing. */
async function checkStates(sender: Sender): Promise<void> {
  for (const state of new Set(sender.sent.map((one) => one.state))) {
    const found = await sender.locate(state)
    printProgress(`${String(state.count).padStart(4)}  ${state.name}`)
    if (!state.isReached(found, state.count))
      throw new Error(`not reached: ${state.name}: found ${JSON.stringify(found)}`)
  }
}
