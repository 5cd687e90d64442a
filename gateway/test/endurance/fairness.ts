/**
 * `npm run fairness`: the effect of an account that floods the API on all others; with --receipts, the effect of receipts that wait
 * on fallbacks. Exits with 0 when every limit is kept; --write puts the figures into docs/fairness.md.
 */
import { whyNotBreakable } from '../support/processes/breakable-services.ts'
import { writeDoc, writeDocSection } from '../support/write-doc.ts'
import { runBurst } from './burst.ts'
import {
  burstFigures,
  burstJson,
  burstSection,
  drawBurstDelays,
  drawBurstQueue,
  drawBurstRate,
  judgeBurst,
} from './burst-report.ts'
import { readOptions } from './options.ts'
import { runFlush, runOutage } from './receipt-backlog.ts'
import { judgeReceipts, receiptFigures, receiptsJson, receiptsSection } from './receipt-report.ts'
import { runCommand } from './run-command.ts'

const given = readOptions({
  name: 'fairness',
  about: 'the effect of an account that floods the API, or of receipts that wait, on all others',
  figures: {
    seconds: {
      default: 60,
      help: 'length of the flood; with --receipts, of the outage of PostgreSQL',
    },
    messages: { default: 1_000, help: 'messages of each of the other accounts' },
    outstanding: { default: 1_000, help: 'requests of the flood outstanding at any time' },
    held: { default: 300_000, help: 'with --receipts: receipts that the carrier sends together' },
    rate: { default: 2_000, help: 'with --receipts: messages per second around the outage' },
  },
  switches: {
    receipts: 'a carrier sends the receipts it has held, then PostgreSQL is unavailable; stops PostgreSQL',
    short: 'a smaller run',
    json: 'prints the figures as the last line, as JSON',
  },
  page: 'docs/fairness.md',
})
const options = given.short ? { ...given, seconds: 15, messages: 250, held: 20_000, rate: 500 } : given

let lastLine = ''
await runCommand('fairness', options.receipts ? measureReceipts : measureBurst)
if (options.json && lastLine !== '') process.stdout.write(`${lastLine}\n`)

async function measureBurst(): Promise<readonly string[]> {
  const run = await runBurst(options)
  printFigures(burstFigures(run))
  if (options.write) {
    await writeDoc('img/fairness-burst-delays.svg', drawBurstDelays(run))
    await writeDoc('img/fairness-burst-queue.svg', drawBurstQueue(run))
    await writeDoc('img/fairness-burst-rate.svg', drawBurstRate(run))
    await writeDocSection('fairness.md', 'burst', burstSection(run))
  }
  lastLine = burstJson(run)
  return judgeBurst(run)
}

async function measureReceipts(): Promise<readonly string[]> {
  const refusal = whyNotBreakable({ redundant: false })
  if (refusal !== undefined) return [refusal]
  const flush = await runFlush(options.held)
  const outage = await runOutage({
    beforeSeconds: 30,
    outageSeconds: options.seconds,
    messagesPerSecond: options.rate,
  })
  const run = { options, flush, outage }
  printFigures(receiptFigures(run))
  if (options.write) await writeDocSection('fairness.md', 'receipts', receiptsSection(run))
  lastLine = receiptsJson(run)
  return judgeReceipts(run)
}

function printFigures(figures: readonly (readonly [string, string, string])[]): void {
  for (const [what, measured, limit] of figures)
    process.stdout.write(`  ${what}\n      ${measured}${limit === '' ? '' : `   (${limit})`}\n`)
}
