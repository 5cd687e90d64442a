/**
 * `npm run fairness`: the effect of an account that floods the API on all others. Exits with 0 when every bound is kept;
 * --write puts the figures and charts into docs/.
 */
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
import { runCommand } from './run-command.ts'
import { writeDoc, writeDocSection } from '../support/write-doc.ts'

const given = readOptions({
  name: 'fairness',
  about: 'the effect of an account that floods the API on all others',
  figures: {
    seconds: { default: 60, help: 'length of the flood' },
    messages: { default: 1_000, help: 'messages of each of the other accounts' },
    outstanding: { default: 1_000, help: 'requests of the flood outstanding at any time' },
  },
  switches: {
    short: '15 seconds and 250 messages of each of the other accounts',
    json: 'prints the figures as the last line, as JSON',
  },
  page: 'docs/fairness.md',
})
const options = given.short ? { ...given, seconds: 15, messages: 250 } : given

let lastLine = ''
await runCommand('fairness', async () => {
  const run = await runBurst(options)
  for (const [what, measured, bound] of burstFigures(run)) {
    process.stdout.write(`  ${what}\n      ${measured}${bound === '' ? '' : `   (${bound})`}\n`)
  }
  if (options.write) {
    await writeDoc('img/fairness-burst-delays.svg', drawBurstDelays(run))
    await writeDoc('img/fairness-burst-queue.svg', drawBurstQueue(run))
    await writeDoc('img/fairness-burst-rate.svg', drawBurstRate(run))
    await writeDocSection('fairness.md', 'burst', burstSection(run))
  }
  lastLine = burstJson(run)
  return judgeBurst(run)
})
if (options.json && lastLine !== '') process.stdout.write(`${lastLine}\n`)
