/** The results of the matrix as a table in the terminal, as a file, and as docs/matrix.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describeHardware, readHardware } from '../hardware.ts'
import { projectRoot } from '../services/paths.ts'
import { releases, type Release } from '../services/releases.ts'
import { suites, type Outcome, type SuiteName } from './results.ts'

const file = join(projectRoot, 'scripts/matrix/results.json')
const page = join(projectRoot, 'docs/matrix.md')

const names: Readonly<Record<Release, string>> = {
  installed: 'Debian 12',
  today: 'Debian 13',
  next: 'the next Debian',
}

export function readResults(): Outcome[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Outcome[]) : []
}

export function printTable(outcomes: readonly Outcome[]): void {
  for (const { release, suite, passed, seconds, figures = '' } of outcomes) {
    const cells = [names[release].padEnd(16), suite.padEnd(6), (passed ? 'ok' : 'FAILED').padEnd(7)]
    process.stdout.write(`${cells.join(' ')}${String(seconds).padStart(4)} s  ${figures}\n`)
  }
}

export async function writeResults(outcomes: readonly Outcome[]): Promise<void> {
  const order = Object.keys(suites)
  const sorted = outcomes.toSorted(
    (one, other) =>
      releases.indexOf(one.release) - releases.indexOf(other.release) ||
      order.indexOf(one.suite) - order.indexOf(other.suite),
  )
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
  writeFileSync(page, await format(pageOf(sorted), { ...(await resolveConfig(page)), filepath: page }))
}

function pageOf(outcomes: readonly Outcome[]): string {
  return `# Engines that are tested

\`npm run matrix -- --write\` runs suites on the engines of three Debian releases, each on a set of services of its own, and writes this
page. Debian 13 and the next Debian are roots that mmdebstrap makes once; the gateway is the same everywhere.

${Object.entries(suites)
  .map(([name, { command, shows }]) => `- **${name}** (\`${command.join(' ')}\`): ${shows}.`)
  .join('\n')}

| Engines | ${Object.keys(suites).join(' | ')} |
|---|${Object.keys(suites)
    .map(() => '---|')
    .join('')}
${releases.map((release) => rowOf(release, outcomes)).join('\n')}

Seconds are those of the whole command on a machine that also did other work. Figures of the bench are of two short rounds: they show that nothing is
slow by a factor, and compare the gateway with bare engines in the same run; [RESULTS.md](../bench/RESULTS.md) has figures of a quiet machine.
Debian 12 and 13 must pass for a release; the next Debian moves, and is an early warning.

${describeHardware(readHardware())}.
`
}

function rowOf(release: Release, outcomes: readonly Outcome[]): string {
  const own = outcomes.filter((one) => one.release === release)
  const { postgres, rabbitmq, redis } = own[0]?.versions ?? {}
  const engines =
    own.length === 0
      ? names[release]
      : `${names[release]}: RabbitMQ ${rabbitmq}, PostgreSQL ${postgres}, ${release === 'installed' ? 'Redis' : 'Valkey'} ${redis}`
  const cells = (Object.keys(suites) as SuiteName[]).map((suite) => {
    const found = own.find((one) => one.suite === suite)
    if (found === undefined) return 'not run yet'
    const { passed, seconds, figures, on, revision, note } = found
    return `${passed ? 'passed' : '**failed**'} in ${seconds} s${figures === undefined ? '' : `: ${figures}`} (${revision}, ${on})${note === undefined ? '' : `: ${note}`}`
  })
  return `| ${[engines, ...cells].join(' | ')} |`
}
