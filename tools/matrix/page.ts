/** Prints the results of the matrix in the terminal, and writes them to results.json and docs/evidence/engines.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatText } from '../../gateway/tools/format-text.ts'
import { describeHardware, readHardware } from '../dev/hardware.ts'
import { projectRoot } from '../engines/paths.ts'
import { releases, type EngineRelease } from '../engines/releases.ts'
import { suites, type MatrixResult, type SuiteName } from './results.ts'

const file = join(projectRoot, 'tools/matrix/results.json')
const page = join(projectRoot, 'docs/evidence/engines.md')

const names: Readonly<Record<EngineRelease, string>> = {
  installed: 'Debian 12',
  today: 'Debian 13',
  next: 'the next Debian',
}

export function readResults(): MatrixResult[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as MatrixResult[]) : []
}

export function printTable(outcomes: readonly MatrixResult[]): void {
  for (const { release, suite, passed, seconds, figures = '' } of outcomes) {
    const cells = [names[release].padEnd(16), suite.padEnd(6), (passed ? 'ok' : 'FAILED').padEnd(7)]
    process.stdout.write(`${cells.join(' ')}${String(seconds).padStart(4)} s  ${figures}\n`)
  }
}

export async function writeResults(outcomes: readonly MatrixResult[]): Promise<void> {
  const order = Object.keys(suites)
  const sorted = outcomes.toSorted(
    (one, other) =>
      releases.indexOf(one.release) - releases.indexOf(other.release) ||
      order.indexOf(one.suite) - order.indexOf(other.suite),
  )
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
  writeFileSync(page, await formatText(page, formatPage(sorted)))
}

function formatPage(outcomes: readonly MatrixResult[]): string {
  return `# Engines

Lists the engines that Postern was tested on. \`npm run suite -- matrix --write\` writes this page.

${Object.entries(suites)
  .map(([name, { command, shows }]) => `- **${name}** (\`${command.join(' ')}\`): ${shows}.`)
  .join('\n')}

| Engines | ${Object.keys(suites).join(' | ')} |
|---|${Object.keys(suites)
    .map(() => '---|')
    .join('')}
${releases.map((release) => formatRow(release, outcomes)).join('\n')}

Debian 12 and 13 must pass for a release; the next Debian is an early warning. The short bench shows only that nothing is much slower ([bench](bench.md)).

${describeHardware(readHardware())}.
`
}

function formatRow(release: EngineRelease, outcomes: readonly MatrixResult[]): string {
  const results = outcomes.filter((one) => one.release === release)
  const { postgres, rabbitmq, redis } = results[0]?.versions ?? {}
  const engines =
    results.length === 0
      ? names[release]
      : `${names[release]}: RabbitMQ ${rabbitmq}, PostgreSQL ${postgres}, ${release === 'installed' ? 'Redis' : 'Valkey'} ${redis}`
  const cells = (Object.keys(suites) as SuiteName[]).map((suite) => {
    const found = results.find((one) => one.suite === suite)
    if (found === undefined) return 'not run yet'
    const { passed, figures, on, note } = found
    return `${passed ? 'passed' : '**failed**'}${figures === undefined ? '' : `: ${figures}`} (${on})${note === undefined ? '' : `: ${note}`}`
  })
  return `| ${[engines, ...cells].join(' | ')} |`
}
