/**
 * `npm run peers`: our SMPP client against carriers that others wrote, one after the other, all cases with each. Prints a
 * table; `--json` prints the counts, `--write` fills docs/peers.md, `--only jsmpp,ch-smpp` runs some. Needs no engines.
 */
import { parseArgs } from 'node:util'
import { recorded, testConnector } from '../support/smpp/fixtures.ts'
import { writeDocSection } from '../support/write-doc.ts'
import { carrierKinds, type CarrierKind } from './carriers.ts'
import { cases, type Stage } from './cases.ts'
import { openTap } from './tap.ts'

type Result = 'passed' | 'failed' | 'skipped' | 'not installed'

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, write: { type: 'boolean' }, only: { type: 'string' } },
})
const wanted = values.only?.split(',')
const say = (line: string): void => void process.stderr.write(`${line}\n`)

async function runCarrier(kind: CarrierKind): Promise<Map<string, Result>> {
  const results = new Map<string, Result>()
  try {
    kind.prepare?.()
  } catch (error) {
    say(`${kind.name}: not installed. ${(error as Error).message}`)
    for (const name of Object.keys(cases)) results.set(name, 'not installed')
    return results
  }
  const carrier = await kind.open()
  const tap = await openTap(carrier.port)
  const record = recorded()
  const options = { enquireIntervalMs: 50, enquireTimeoutMs: 10_000, dataCoding: { latin1: 3 } }
  const connector = testConnector(tap.port, options, record)
  const stage: Stage = { kind, carrier, connector, record, tap }
  try {
    for (const [name, check] of Object.entries(cases)) results.set(name, await runCase(stage, name, check))
  } finally {
    await connector.stop()
    await tap.close()
    await carrier.close()
  }
  return results
}

async function runCase(stage: Stage, name: string, check: (typeof cases)[string]): Promise<Result> {
  try {
    return (await check(stage)) ?? 'passed'
  } catch (error) {
    say(`WRONG ${stage.kind.name}: ${name}: ${(error as Error).message}`)
    return 'failed'
  }
}

const table: [CarrierKind, Map<string, Result>][] = []
for (const kind of carrierKinds.filter(({ name }) => wanted?.includes(name) ?? true)) {
  table.push([kind, await runCarrier(kind)])
  say(
    `${kind.name} ${kind.version}: ${[...table.at(-1)![1]].map(([name, result]) => `${name} ${result}`).join(', ')}`,
  )
}
const all = table.flatMap(([, results]) => [...results.values()])
const count = (result: Result): number => all.filter((one) => one === result).length
const counts = { passed: count('passed'), failed: count('failed') }

if (values.write) await writeDocSection('peers.md', 'results', toMarkdown())
process.stdout.write(values.json ? `${JSON.stringify(counts)}\n` : `${toMarkdown()}\n`)
process.exitCode = counts.failed > 0 ? 1 : 0

function toMarkdown(): string {
  const marks: Readonly<Record<Result, string>> = {
    passed: '✓',
    failed: '**no**',
    skipped: '–',
    'not installed': 'not installed',
  }
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    row(['Case', ...table.map(([{ name, version }]) => `${name} ${version}`)]),
    row(['---', ...table.map(() => '---')]),
    ...Object.keys(cases).map((name) =>
      row([name, ...table.map(([, results]) => marks[results.get(name)!])]),
    ),
  ].join('\n')
}
