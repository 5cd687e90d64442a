/**
 * `npm run suite -- fairness`: measures the effect of a flooding account on all others; with --receipts, the
 * effect of pending receipts on fallbacks. Exits with 0 if every limit is kept; --write writes the figures to
 * docs/evidence/fairness.md.
 */
import { findReasonNotToBreak } from '../../support/processes/breakable-services.ts'
import { writeDoc, writeDocSection } from '../../support/measure/write-doc.ts'
import { runBurst } from './burst.ts'
import {
  burstFigures,
  burstJson,
  burstSection,
  drawBurstDelays,
  drawBurstQueue,
  drawBurstRate,
  checkBurst,
} from './burst-report.ts'
import { readOptions } from '../options.ts'
import { runFlush, runOutage } from './receipt-backlog.ts'
import { checkReceipts, receiptFigures, receiptsJson, receiptsSection } from './receipt-report.ts'
import { runCommand } from '../run-command.ts'

const parsed = readOptions({
  name: 'fairness',
  about: 'the effect of a flooding account on others, or of pending receipts on fallbacks',
  figures: {
    seconds: { default: 60, help: 'length of the flood; with --receipts, of the outage of PostgreSQL' },
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
  page: 'docs/evidence/fairness.md',
})
const options = parsed.short ? { ...parsed, seconds: 15, messages: 250, held: 20_000, rate: 500 } : parsed

let lastLine = ''
await runCommand('fairness', options.receipts ? measureReceipts : measureBurst)
if (options.json && lastLine !== '') process.stdout.write(`${lastLine}\n`)

async function measureBurst(): Promise<readonly string[]> {
  const run = await runBurst(options)
  printFigures(burstFigures(run))
  if (options.write) {
    await writeDoc('pictures/fairness-burst-delays.svg', drawBurstDelays(run))
    await writeDoc('pictures/fairness-burst-queue.svg', drawBurstQueue(run))
    await writeDoc('pictures/fairness-burst-rate.svg', drawBurstRate(run))
    await writeDocSection('evidence/fairness.md', 'burst', burstSection(run))
  }
  lastLine = burstJson(run)
  return checkBurst(run)
}

async function measureReceipts(): Promise<readonly string[]> {
  const refusal = findReasonNotToBreak({ needsRedundancy: false })
  if (refusal !== undefined) return [refusal]
  const flush = await runFlush(options.held)
  const outage = await runOutage({
    beforeSeconds: 30,
    outageSeconds: options.seconds,
    messagesPerSecond: options.rate,
  })
  const run = { options, flush, outage }
  printFigures(receiptFigures(run))
  if (options.write) await writeDocSection('evidence/fairness.md', 'receipts', receiptsSection(run))
  lastLine = receiptsJson(run)
  return checkReceipts(run)
}

function printFigures(figures: readonly (readonly [string, string, string])[]): void {
  for (const [label, measured, limit] of figures)
    process.stdout.write(`  ${label}\n      ${measured}${limit === '' ? '' : `   (${limit})`}\n`)
}
