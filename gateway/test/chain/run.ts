/**
 * `npm run chain [-- --short] [--count N] [--rate N] [--seed N] [--write]`: messages of all seven channels through two installations
 * in a row, while each process of both is killed with -9 in turn. Nothing is lost: each message has one report. Nothing is
 * doubled: each reached the far installation once, and each text the carrier once. Each message without a certain outcome was in the
 * hands of a process that was killed. `--write` fills docs/chain.md. Exits with 0 when nothing is wrong.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Gateway } from '../support/processes/gateway.ts'
import { printProgress, printResult, withProgress } from '../support/progress.ts'
import { createRandom } from '../support/random.ts'
import { waitFor } from '../support/wait.ts'
import { writeDocSection } from '../support/write-doc.ts'
import { openChain, type Chain } from './chain-installation.ts'
import { judgeDoubles, judgeLedgers, judgeReports, Reports, sendSurely } from './evidence.ts'
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
/** Messages a second. */
const rate = Number(values.rate ?? (values.short ? 100 : 200))
const command = `npm run chain -- --count ${count} --rate ${rate} --seed ${values.seed} --write`
const stepTtlSeconds = 30
/** RCS waits 40 s for its receipt at the far installation, and twice where both installations lost it. */
const settleMs = 180_000

printProgress(`${count} messages at ${rate}/s, seed ${values.seed}`)
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
  const reports = new Reports(open)
  const messages: ChainMessage[] = []
  const kills: Kill[] = []
  const startedAt = Date.now()
  try {
    let killing = true
    const killed = kill(open.gateways, kills, (count / rate) * 1000).finally(() => (killing = false))
    const load = send(open, messages, () => killing)
    const progress = (): string => `${messages.length} sent, ${reports.byRef.size} reported`
    await withProgress(Promise.all([load, killed]), progress)
    const isReported = (): boolean => reports.byRef.size >= messages.length
    const settling = waitFor('all reports', isReported, { timeoutMs: settleMs, everyMs: 100 })
    // Messages without a report are counted below.
    await withProgress(settling, progress).catch((error: unknown) => printProgress((error as Error).message))
  } finally {
    await reports.stop()
  }
  const { counts, findings: wrong, uncertain } = judgeReports(messages, reports)
  printProgress(`${counts.right} right, ${counts.uncertain} without a certain outcome`)
  const explained = await explainUncertain(open, uncertain, kills)
  for (const [reason, times] of explained.counts) printProgress(`${times} of them: ${reason}`)
  const doubled = await judgeDoubles(open)
  const found = [...wrong, ...explained.findings, ...doubled, ...(await judgeLedgers(open))]
  if (values.write)
    await writeDocSection(
      'chain.md',
      'chain',
      chainSection({
        ...{ command, startedAt, seconds: (Date.now() - startedAt) / 1_000, kills },
        ...{ messages: messages.length, counts, causes: explained.counts },
        ...{ unexplained: explained.findings.length, doubled: doubled.length, findings: found },
      }),
    )
  return found
}

/** At least `count`, and until the last process was killed and is ready again. */
async function send(open: Chain, messages: ChainMessage[], isKilling: () => boolean): Promise<void> {
  const started = performance.now()
  const sends: Promise<void>[] = []
  for (let index = 0; index < count || isKilling(); index++) {
    const message = chainMessage(index, `c${values.seed}`, open.files)
    messages.push(message)
    sends.push(sendSurely(open, message))
    const earlyMs = (index / rate) * 1000 - (performance.now() - started)
    if (earlyMs > 5) await pause(earlyMs)
  }
  await Promise.all(sends)
}

/** Each process once, at even times over the load, in random order; writes down when. */
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
