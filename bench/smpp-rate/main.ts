/**
 * `npm run smpp:rate [-- --seconds 10] [--window 100] [--rounds 3] [--json] [--write]`: parts a second of one session of our SMPP
 * connector and of one of node-smpp, in turn, each in a process of its own with a simulated SMSC of its own. Needs no services; the CPU
 * time of the SMSC needs Linux. Exits with 1 when our session carries less than 8,000 parts a second.
 */
import { parseArgs } from 'node:util'
import { writeDocSection } from '../../gateway/test/support/write-doc.ts'
import { measureApart } from '../measure-apart.ts'
import { rateOf, rateSection, rateTable, target, type SideFigures } from './page.ts'

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
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const rounds: SideFigures[] = []
for (let round = 1; round <= Number(values.rounds); round++)
  for (const library of libraries) {
    const figures = await measureApart<SideFigures>(library, 'bench/smpp-rate/side.ts', [
      library,
      values.seconds,
      values.window,
    ])
    rounds.push(figures)
    say(`round ${round}, ${library}: ${Math.round(rateOf(figures)).toLocaleString('en-US')} parts/s`)
  }
const rows = rateTable(libraries, rounds)
const ours = rounds.filter(({ library }) => library === 'postern')
const slowest = Math.min(...ours.map(rateOf))
if (values.write)
  await writeDocSection(
    'connector-rates.md',
    'smpp-rate',
    rateSection(
      rows,
      `npm run smpp:rate -- --seconds ${values.seconds} --window ${values.window} --rounds ${values.rounds} --write`,
    ),
  )
process.stdout.write(
  values.json ? `${JSON.stringify({ rounds })}\n` : `${rows.map((row) => row.join('  ')).join('\n')}\n`,
)
process.exitCode = slowest >= target ? 0 : 1
