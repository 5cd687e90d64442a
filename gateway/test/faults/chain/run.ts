/**
 * `npm run suite -- chain [--short] [--count N] [--rate N] [--seed N] [--write]` sends messages of all
 * seven channels through two installations in a row while each of their processes is killed with SIGKILL in
 * turn. Each message must have one report and reach the far installation once, and each text must reach the
 * carrier once. Every uncertain outcome must be explained by a killed process. `--write` updates
 * docs/evidence/chain.md. Exits with 0 if there are no findings.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Gateway } from '../../support/processes/gateway.ts'
import { printProgress, printResult, withProgress } from '../../support/measure/progress.ts'
import { createRandom } from '../../support/random.ts'
import { waitFor } from '../../support/wait.ts'
import { writeDocSection } from '../../support/measure/write-doc.ts'
import { openChain, type Chain } from './chain-installation.ts'
import {
  checkDuplicates,
  checkLedgers,
  checkChainReports,
  ChainReports,
  sendUntilAccepted,
} from './evidence.ts'
import { explainUncertain, type Kill } from './explain.ts'
import { chainMessage, type ChainMessage } from './messages.ts'
import { chainSection } from './page.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    count: { type: 'string' },
    rate: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    write: { type: 'boolean', default: false },
  },
})
const count = Number(values.count ?? (values.short ? 2_000 : 50_000))
const messagesPerSecond = Number(values.rate ?? (values.short ? 100 : 200))
const command = `npm run suite -- chain --count ${count} --rate ${messagesPerSecond} --seed ${values.seed} --write`
const stepTtlSeconds = 30
/** RCS waits 40 s for its receipt at the far installation, and twice as long if both installations lost it. */
const settleMs = 180_000

printProgress(`${count} messages at ${messagesPerSecond}/s, seed ${values.seed}`)
const chain = await openChain({ workers: 2, stepTtlSeconds })
const findings: string[] = []
try {
  findings.push(...(await run(chain)))
} catch (error) {
  findings.push((error as Error).stack ?? String(error))
}
findings.push(...(await chain.close(findings.length > 0)))
printResult('chain', findings)

async function run(open: Chain): Promise<string[]> {
  printProgress('both installations are ready')
  const reports = new ChainReports(open)
  const messages: ChainMessage[] = []
  const kills: Kill[] = []
  const startedAt = Date.now()
  try {
    let killing = true
    const killed = kill(open.gateways, kills, (count / messagesPerSecond) * 1000).finally(
      () => (killing = false),
    )
    const load = send(open, messages, () => killing)
    const progress = (): string => `${messages.length} sent, ${reports.byRef.size} reported`
    await withProgress(Promise.all([load, killed]), progress)
    const isReported = (): boolean => reports.byRef.size >= messages.length
    const settling = waitFor('all reports', isReported, { timeoutMs: settleMs, everyMs: 100 })
    // After a timeout, messages without a report are counted below.
    await withProgress(settling, progress).catch((error: unknown) => printProgress((error as Error).message))
  } finally {
    await reports.stop()
  }
  const { counts, findings: wrong, uncertain } = checkChainReports(messages, reports)
  printProgress(`${counts.right} right, ${counts.uncertain} without a certain outcome`)
  printProgress(`longest time without a report: ${(reports.longestStallMs / 1_000).toFixed(1)} s`)
  const explained = await explainUncertain(open, uncertain, kills)
  for (const [reason, times] of explained.counts) printProgress(`${times} of them: ${reason}`)
  const doubled = await checkDuplicates(open)
  const found = [...wrong, ...explained.findings, ...doubled, ...(await checkLedgers(open))]
  if (values.write)
    await writeDocSection(
      'evidence/chain.md',
      'chain',
      chainSection({
        command,
        seconds: (Date.now() - startedAt) / 1_000,
        kills,
        messages: messages.length,
        counts,
        unexplained: explained.findings.length,
        longestStallMs: reports.longestStallMs,
        doubled: doubled.length,
        findings: found,
      }),
    )
  return found
}

/** Sends at least `count` messages, and until the last process was killed and is ready again. */
async function send(open: Chain, messages: ChainMessage[], isKilling: () => boolean): Promise<void> {
  const started = performance.now()
  const sends: Promise<void>[] = []
  for (let index = 0; index < count || isKilling(); index++) {
    const message = chainMessage(index, `c${values.seed}`, open.files)
    messages.push(message)
    sends.push(sendUntilAccepted(open, message))
    const earlyMs = (index / messagesPerSecond) * 1000 - (performance.now() - started)
    if (earlyMs > 5) await pause(earlyMs)
  }
  await Promise.all(sends)
}

/** Kills each process once in random order, evenly distributed over the load, and records the times. */
async function kill(gateways: readonly Gateway[], kills: Kill[], loadMs: number): Promise<void> {
  const order = createRandom(Number(values.seed)).shuffle(gateways)
  for (const gateway of order) {
    await pause(loadMs / (order.length + 1))
    printProgress(`kill -9 ${gateway.name}`)
    const nth = kills.push({ name: gateway.name, at: Date.now() }) - 1
    await gateway.kill()
    gateway.start()
    await gateway.untilReady(60_000)
    kills[nth] = { ...kills[nth]!, readyAfterMs: Date.now() - kills[nth]!.at }
  }
}
