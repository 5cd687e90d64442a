/**
 * `npm run suite -- smpp:rate [--seconds 10] [--window 100] [--rounds 3] [--json] [--write]`: measures the parts
 * per second of one session of our SMPP connector and of node-smpp, in turn, each in its own process with its
 * own simulated SMSC. Needs no services; the CPU time of the SMSC needs Linux. Exits with 1 if our session
 * carries fewer than 8,000 parts per second in any round.
 */
import { parseArgs } from 'node:util'
import { writeDocSection } from '../../gateway/test/support/measure/write-doc.ts'
import { measureInChildProcess } from '../measure-in-child-process.ts'
import { computeRate, rateSection, rateTable, targetPartsPerSecond, type SessionMeasurement } from './page.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    window: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const libraries = ['postern', 'node-smpp'] as const
const log = (line: string): void => void process.stderr.write(`${line}\n`)

const rounds: SessionMeasurement[] = []
for (let round = 1; round <= Number(values.rounds); round++)
  for (const library of libraries) {
    const figures = await measureInChildProcess<SessionMeasurement>(library, 'bench/smpp-rate/side.ts', [
      library,
      values.seconds,
      values.window,
    ])
    rounds.push(figures)
    log(`round ${round}, ${library}: ${Math.round(computeRate(figures)).toLocaleString('en-US')} parts/s`)
  }
const rows = rateTable(libraries, rounds)
const ours = rounds.filter(({ library }) => library === 'postern')
const slowest = Math.min(...ours.map(computeRate))
if (values.write)
  await writeDocSection(
    'evidence/connector-rates.md',
    'smpp-rate',
    rateSection(
      rows,
      `npm run suite -- smpp:rate --seconds ${values.seconds} --window ${values.window} --rounds ${values.rounds} --write`,
    ),
  )
process.stdout.write(
  values.json ? `${JSON.stringify({ rounds })}\n` : `${rows.map((row) => row.join('  ')).join('\n')}\n`,
)
process.exitCode = slowest >= targetPartsPerSecond ? 0 : 1
