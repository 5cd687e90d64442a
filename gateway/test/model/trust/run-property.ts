/**
 * `npm run suite -- trust:property [--cases N --seed N --processes N]` runs random accounts, registries,
 * clocks and flows through the policy, by topic and in histories over all rules, in one process per core.
 * Prints the coverage and exits with 1 if a case fails.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CoverageReport } from './property-cases.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    processes: { type: 'string' },
  },
})
const seed = values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed)
const cases = Number(values.cases)
const processes = Math.min(cases, Number(values.processes ?? availableParallelism()))
const casesPerProcess = Math.ceil(cases / processes)

process.stdout.write(`seed ${seed}\n`)
const began = performance.now()
const covered = new Map<string, Map<string, number>>()
await Promise.all(Array.from({ length: processes }, (_, nth) => runCases((seed + nth) & 0x7fffffff)))
for (const [model, outcomes] of covered) {
  const counts = [...outcomes].map(([outcome, count]) => `${outcome} ${count}`)
  process.stdout.write(`${model}: ${casesPerProcess * processes} cases: ${counts.sort().join(', ')}\n`)
}
process.stdout.write(`${processes} processes, ${((performance.now() - began) / 1000).toFixed(0)} s\n`)

async function runCases(childSeed: number): Promise<void> {
  const child = fork(join(import.meta.dirname, 'property-cases.ts'), [
    String(casesPerProcess),
    String(childSeed),
  ])
  child.on('message', (message) => {
    const { model, failure, coverage } = message as CoverageReport
    if (failure !== null)
      process.stdout.write(
        `WRONG ${model} (--seed ${childSeed} --cases ${casesPerProcess} --processes 1): ${failure}\n`,
      )
    const outcomes = covered.get(model) ?? new Map<string, number>()
    covered.set(model, outcomes)
    for (const [outcome, count] of Object.entries(coverage))
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count)
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) process.exitCode = 1
}
