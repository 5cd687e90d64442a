import { setTimeout as pause } from 'node:timers/promises'
import { inParallel } from '../../support/parallel.ts'
import type { ReportPoller } from '../../load/report-poller.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { createRandom } from '../../support/random.ts'
import type { BatchClient, ResultRow } from './batch-client.ts'
import type { BatchesInstallation } from './batches-installation.ts'
import { checkCounts, checkResults } from './check-batch.ts'
import type { BatchesOptions } from './options.ts'
import { recipientOf, toFlow, type TestList } from './recipients.ts'
import type { Scenario, ScenarioResult } from './scenario.ts'

const lines = 400
const maxDelayMs = 3_000
/** After this time from the request, nothing must be submitted for `watchedMs`. */
const settledMs = 4_000
const watchedMs = 1_500
const timeoutMs = 180_000

/** Pauses and cancels batches at random moments. */
export const pauseAndCancelScenario: Scenario = { name: 'pause and cancel', run: runAll }

async function runAll(installation: BatchesInstallation, options: BatchesOptions): Promise<ScenarioResult> {
  const client = await installation.openAccount('mailer')
  const reports = installation.pollReports(client)
  const findings: string[] = []
  let done = 0
  const runs = Array.from({ length: options.runs }, (_, run) => run)
  await inParallel(runs, options.runsAtOnce, async (run) => {
    const found = await runOne({ installation, client, reports }, run, options.seed).catch(
      (error: unknown) => [`run ${run}: ${(error as Error).stack ?? String(error)}`],
    )
    findings.push(...found)
    printProgress(`pause and cancel: ${(done += 1)} of ${options.runs} runs done`)
  })
  return { findings, figures: { runs: options.runs } }
}

interface PauseTestBed {
  readonly installation: BatchesInstallation
  readonly client: BatchClient
  readonly reports: ReportPoller
}

type Plan = 'pause, then resume' | 'pause, then cancel' | 'cancel'

const plans: readonly Plan[] = ['pause, then resume', 'pause, then cancel', 'cancel']

async function runOne(
  { installation, client, reports }: PauseTestBed,
  run: number,
  seed: number,
): Promise<string[]> {
  const { submitted } = installation
  const random = createRandom(seed + run)
  const list: TestList = { prefix: '0102', first: run * lines, parts: [lines] }
  const recipients = Array.from({ length: lines }, (_, index) => recipientOf(list, index))
  const plan = plans[run % plans.length]!
  const delayMs = random.below(maxDelayMs)
  const findings: string[] = []
  const { batchId } = await client.createFrom(`pause-${seed}-${run}`, list, {
    messageFlow: toFlow(`Run ${run}`),
  })
  await client.act(batchId, 'start')
  // A batch can be cancelled in any state, and paused only while it runs.
  if (plan !== 'cancel') await client.untilState(batchId, ['running', 'ended'], timeoutMs)
  await pause(delayMs)

  /** Waits until the request must have taken effect, and then for submissions that must not happen. */
  const watch = async (action: 'pause' | 'cancel'): Promise<void> => {
    const batch = await client.act(batchId, action).catch(async (error: unknown) => {
      const current = await client.read(batchId)
      if (current.state !== 'ended') throw error
      return current
    })
    findings.push(...checkCounts(batch))
    await pause(settledMs)
    const from = performance.now()
    await pause(watchedMs)
    const late = recipients.filter((recipient) => (submitted.get(recipient)?.at ?? 0) > from)
    if (late.length > 0) findings.push(`${late.length} were submitted ${settledMs} ms after the ${action}`)
  }
  await watch(plan === 'cancel' ? 'cancel' : 'pause')
  const { state } = await client.read(batchId)
  if (plan === 'pause, then resume' && state === 'paused') await client.act(batchId, 'resume')
  if (plan === 'pause, then cancel') await watch('cancel')

  const batch = await client.untilDone(batchId, timeoutMs)
  const checkRow = ({ msgKey, code, reportCode }: ResultRow, recipient: string): string | undefined => {
    const times = submitted.get(recipient)?.times ?? 0
    const isRight =
      times === 1
        ? reportCode === '10000'
        : times === 0 &&
          plan !== 'pause, then resume' &&
          (msgKey === '' ? code === 'cancelled' : reportCode === '90010')
    return isRight ? undefined : `${recipient} was submitted ${times} times and has ${code} ${reportCode}`
  }
  findings.push(...(await checkResults(client, list, batch, { reports, checkRow })))
  return findings.map((text) => `${plan} after ${delayMs} ms (run ${run}): ${text}`)
}
