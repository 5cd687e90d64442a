import { measureDelays } from '../../load/fairness/delays.ts'
import { oneTimeCode, ordinaryRecipient, SteadyLoad } from '../../load/steady-load.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import { codesPrefix, type BatchesInstallation } from './batches-installation.ts'
import { checkCounts, checkResults } from './check-batch.ts'
import { MemoryWatch } from './memory.ts'
import type { BatchesOptions } from './options.ts'
import { recipientOf, splitInto, toCsv, toFlow, type TestList } from './recipients.ts'
import { routeRate, type Scenario, type ScenarioResult } from './scenario.ts'

const parts = 5
const codesPerSecond = 10
/** Maximum number of codes that are sent first and not measured, because a process compiles its code during its first requests. */
const warmUp = 20
const maxResultsSeconds = 120

/**
 * Uploads, checks and starts a large batch, sends one-time codes of another account while it is submitted, and reads its
 * results. The API must stay small and the codes fast.
 */
export const sizeScenario: Scenario = { name: 'size', run: runSize }

async function runSize(installation: BatchesInstallation, options: BatchesOptions): Promise<ScenarioResult> {
  const { api, submitted, simulator } = installation
  const list: TestList = { prefix: '0101', parts: splitInto(parts, options.lines) }
  const [shop, bank] = await Promise.all([installation.openAccount('shop'), installation.openAccount('bank')])
  const memory = new MemoryWatch(api.pid!)
  const findings: string[] = []
  const seconds = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await work()
    return (performance.now() - began) / 1_000
  }
  try {
    const { batchId } = await shop.create(`size-${options.seed}`, {
      messageFlow: toFlow('Sale'),
      ref: 'size',
    })
    const uploadSeconds = await seconds(async () => {
      for (let part = 1; part <= parts; part++) {
        await shop.upload(batchId, part, toCsv(list, part))
        printProgress(`size: part ${part} of ${parts} uploaded`)
      }
    })
    const checkSeconds = await seconds(async () => {
      await shop.act(batchId, 'check')
      findings.push(...checkCounts(await shop.untilState(batchId, ['ready'], 600_000)))
    })
    printProgress(`size: uploaded in ${uploadSeconds.toFixed(1)} s, checked in ${checkSeconds.toFixed(1)} s`)
    const firstRecipients = Array.from({ length: 100 }, (_, index) => recipientOf(list, index))
    const firstSubmissionSeconds = await seconds(async () => {
      await shop.act(batchId, 'start')
      const isSubmitted = (): boolean => firstRecipients.some((recipient) => submitted.has(recipient))
      await waitFor('the first submission', isSubmitted, { timeoutMs: 60_000 })
    })
    const loadMegabytes = memory.takeMegabytesAbove()
    printProgress(
      `size: first submission after ${firstSubmissionSeconds.toFixed(1)} s; API at most ${loadMegabytes.toFixed(0)} MB above idle`,
    )

    const codes = await measureCodes(installation, bank.account, options.codes)
    const batch = await shop.read(batchId)
    findings.push(...checkCounts(batch), ...codes.findings)
    if (batch.state !== 'running') findings.push('the batch ended before the codes were measured')
    printProgress(`size: codes p99 ${Math.round(codes.p99)} ms`)

    await installation.setRate(0)
    const submitSeconds = await seconds(() =>
      withProgress(
        shop.untilDone(batchId, 30_000 + options.lines * 10),
        () =>
          `size: ${submitted.size} recipients reached by all scenarios; the batch has ${options.lines} lines`,
      ),
    )
    await installation.setRate(routeRate)
    const done = await shop.read(batchId)
    memory.takeMegabytesAbove()
    const resultsSeconds = await seconds(async () => {
      findings.push(
        ...(await checkResults(shop, list, done, {
          checkRow: ({ msgKey, reportCode }) =>
            msgKey === '' || reportCode === '10000' ? undefined : `${msgKey} was reported as ${reportCode}`,
        })),
      )
    })
    const resultsMegabytes = memory.takeMegabytesAbove()
    printProgress(`size: results in ${resultsSeconds.toFixed(1)} s`)
    const doubled = await simulator.duplicates()
    findings.push(...doubled.slice(0, 5).map(({ to, count }) => `${to} was submitted ${count} times`))
    for (const [what, value, limit] of [
      ['memory of the API during upload and check, MB', loadMegabytes, options.maxMegabytes],
      ['memory of the API during the results, MB', resultsMegabytes, options.maxMegabytes],
      ['seconds for the results', resultsSeconds, maxResultsSeconds],
      ['p99 of one-time codes, ms', codes.p99, options.codesP99Ms],
    ] as const)
      if (value > limit) findings.push(`${what}: ${value.toFixed(1)}, at most ${limit}`)
    return {
      findings,
      figures: {
        lines: options.lines,
        uploadSeconds,
        checkSeconds,
        firstSubmissionSeconds,
        uploadMegabytes: loadMegabytes,
        codesP50Ms: codes.p50,
        codesP99Ms: codes.p99,
        codesRefused: codes.findings.length,
        submitSeconds,
        resultsSeconds,
        resultsMegabytes,
      },
    }
  } finally {
    memory.stop()
  }
}

async function measureCodes(
  { codes: submits }: BatchesInstallation,
  client: Awaited<ReturnType<BatchesInstallation['openAccount']>>['account'],
  count: number,
): Promise<{ readonly p50: number; readonly p99: number; readonly findings: string[] }> {
  const send = (first: number, limit: number): SteadyLoad =>
    new SteadyLoad({
      use: (ask) => ask(client),
      perSecond: codesPerSecond,
      limit,
      request: oneTimeCode,
      recipient: (index) => ordinaryRecipient(codesPrefix, first + index),
    })
  const warm = send(0, Math.min(warmUp, count / 4))
  await warm.done
  const from = performance.now()
  const load = send(warmUp, count)
  await withProgress(load.done, () => `size: ${load.sent.length} of ${count} codes sent`)
  const { spread } = await measureDelays(load, submits, from)
  const findings = [...warm.failures, ...load.failures].map((failure) => `a one-time code failed: ${failure}`)
  return { p50: spread.p50, p99: spread.p99, findings }
}
