/**
 * `npm run suite -- fairness:backlog`: measures the effect of one account's backlog on all others. Exits with
 * 0 if every limit is kept; --write writes the figures and charts to docs/.
 */
import { measureCodes } from './one-time-codes.ts'
import { measureDeadlines } from '../deadlines.ts'
import {
  drawDelays,
  drawShares,
  backlogSection,
  listBacklogFigures,
  checkBacklogRun,
} from './backlog-report.ts'
import { readOptions } from '../options.ts'
import { openBacklogInstallation } from './backlog-installation.ts'
import { runCommand } from '../run-command.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { measureShares, unequalLoads } from './account-shares.ts'
import { writeDoc, writeDocSection } from '../../support/measure/write-doc.ts'

const parsed = readOptions({
  name: 'fairness:backlog',
  about: "the effect of one account's backlog on all others",
  figures: {
    backlog: { default: 1_000_000, help: 'size of the backlog of one account, in messages' },
    rate: { default: 500, help: 'parts per second of the route' },
    codes: { default: 1_000, help: 'one-time codes to measure' },
    pace: { default: 10, help: 'codes per second' },
    accounts: { default: 100, help: 'accounts of equal weight' },
    seconds: { default: 60, help: 'time over which shares are counted' },
  },
  page: 'docs/evidence/fairness.md',
})
const options = { ...parsed, codesPerSecond: parsed.pace }

await runCommand('fairness:backlog', async () => {
  const codes = await measureCodes(options)
  printProgress(
    `codes: p99 ${Math.round(codes.urgent.spread.p99)} ms; own lane ${Math.round(codes.sameLane.spread.p99)} ms`,
  )
  // Each account must still have a backlog at the end of the measured seconds.
  const perAccount = Math.ceil((1.5 * options.rate * (options.seconds + 10)) / options.accounts)
  const contenders = unequalLoads(options.accounts, perAccount, Math.max(20_000, perAccount))
  const equalWeights = await measureShares({ ...options, contenders })
  printProgress(`equal weights: furthest ${(equalWeights.maxDeviation * 100).toFixed(1)} % from equal`)
  const weighted = await measureShares({
    ...options,
    contenders: [1, 2, 5].map((weight) => ({ weight, waiting: options.rate * (options.seconds + 20) })),
  })
  printProgress(`weights 1, 2, 5: furthest ${(weighted.maxDeviation * 100).toFixed(1)} % from fair`)
  const installation = await openBacklogInstallation(options.rate)
  let deadlines: Awaited<ReturnType<typeof measureDeadlines>>
  try {
    deadlines = await measureDeadlines(installation.database, [100, options.backlog])
  } finally {
    await installation.close(false)
  }

  const run = { options, codes, equal: equalWeights, weighted, deadlines }
  for (const [label, measured, limit] of listBacklogFigures(run)) {
    process.stdout.write(`  ${label}\n      ${measured}${limit === '' ? '' : `   (${limit})`}\n`)
  }
  if (options.write) {
    await writeDoc('pictures/fairness-delays.svg', drawDelays(run))
    await writeDoc('pictures/fairness-shares.svg', drawShares(run))
    await writeDocSection('evidence/fairness.md', 'backlog', backlogSection(run))
  }
  return checkBacklogRun(run)
})
