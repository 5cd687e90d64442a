/**
 * `npm run suite -- rates [--only kakao,mm7] [--seconds 10] [--window 50] [--write]`: measures the messages per
 * second that one connector carries to a simulated carrier, for each case of cases.ts. Needs no services; the CPU
 * time of the carrier needs Linux. Exits with 1 if a connector misses the target.
 */
import { parseArgs } from 'node:util'
import { writeDocSection } from '../../gateway/test/support/measure/write-doc.ts'
import { measureInChildProcess } from '../measure-in-child-process.ts'
import { cases } from './cases.ts'
import { ratesSection, ratesTable, targetMessagesPerSecond, type RateMeasurement } from './page.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    window: { type: 'string', default: '50' },
    write: { type: 'boolean', default: false },
  },
})
const only = values.only?.split(',')
const chosen = cases.filter(({ kind }) => only === undefined || only.includes(kind))
if (chosen.length === 0)
  throw new Error(`--only must list kinds of: ${[...new Set(cases.map(({ kind }) => kind))].join(', ')}`)

const measured: RateMeasurement[] = []
for (const { name } of chosen) {
  process.stdout.write(`${name} …\n`)
  measured.push(
    await measureInChildProcess<RateMeasurement>(name, 'bench/rates/measure.ts', [
      name,
      values.seconds,
      values.window,
    ]),
  )
}
const rows = ratesTable(measured)
const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
for (const row of rows)
  process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}\n`)
if (values.write)
  await writeDocSection(
    'evidence/connector-rates.md',
    'rates',
    ratesSection(
      measured,
      `npm run suite -- rates --seconds ${values.seconds} --window ${values.window} --write`,
    ),
  )
process.exitCode = measured.every(({ messages, seconds }) => messages / seconds >= targetMessagesPerSecond)
  ? 0
  : 1
