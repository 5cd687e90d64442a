/**
 * `npm run trust:property -- [--cases 100000] [--seed n]`: random accounts, registries, clocks and flows through the policy, by
 * topic and in histories over all rules. Prints what was covered and exits with 1 if a case breaks a rule.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { abuseHistory, runAbuseHistory } from './abuse-model.ts'
import { advertisingHistory, runAdvertisingHistory } from './advertising-model.ts'
import { history, runHistory } from './model.ts'
import { wholeHistory } from './whole/events.ts'
import { runWholeHistory } from './whole/history.ts'

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string' } },
})
const seed = values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed)
const numRuns = Number(values.cases)

async function check<Case>(
  what: string,
  cases: fc.Arbitrary<Case>,
  run: (one: Case, coverage: Record<string, number>) => void | Promise<void>,
): Promise<void> {
  const coverage: Record<string, number> = {}
  const began = performance.now()
  const property = fc.asyncProperty(cases, async (one) => run(one, coverage))
  const result = await fc.check(property, { numRuns, seed })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  if (!result.failed) {
    const counts = Object.entries(coverage).map(([outcome, count]) => `${outcome} ${count}`)
    process.stdout.write(`${what}: ${numRuns} cases in ${seconds} s: ${counts.sort().join(', ')}\n`)
    return
  }
  process.stdout.write(`WRONG ${what}: ${fc.defaultReportMessage(result) ?? 'a case failed'}\n`)
  process.exitCode = 1
}

process.stdout.write(`seed ${seed}\n`)
await check('senders and origin codes', history, runHistory)
await check('protection against abuse', abuseHistory, runAbuseHistory)
await check('advertisements', advertisingHistory, runAdvertisingHistory)
await check('all rules', wholeHistory, runWholeHistory)
