/**
 * `npm run trust:property -- [--cases 100000] [--seed n]`: random accounts, registries, clocks and flows through the policy;
 * see `model.ts`. Prints what was covered and exits with 1 at the first case that breaks a rule.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { abuseHistory, runAbuseHistory, type AbuseCoverage } from './abuse-model.ts'
import { advertisingHistory, runAdvertisingHistory, type AdvertisingCoverage } from './advertising-model.ts'
import { history, runHistory, type Coverage } from './model.ts'

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string' } },
})
const seed = values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed)
const coverage: Coverage = { drafts: 0, refusedDrafts: 0, submitted: 0, stopped: 0 }
const began = performance.now()
const result = fc.check(
  fc.property(history, (events) => runHistory(events, coverage)),
  { numRuns: Number(values.cases), seed },
)
const seconds = ((performance.now() - began) / 1000).toFixed(1)
if (result.failed)
  process.stdout.write(`WRONG ${fc.defaultReportMessage(result) ?? 'a case failed'}\nseed ${seed}\n`)
else
  process.stdout.write(
    `${result.numRuns} cases in ${seconds} s, seed ${seed}: ${coverage.drafts} drafts, ${coverage.refusedDrafts} of them refused; ` +
      `${coverage.submitted} submissions allowed, ${coverage.stopped} stopped\n`,
  )
const outcomes: AbuseCoverage = {}
const abuse = await fc.check(
  fc.asyncProperty(abuseHistory, (events) => runAbuseHistory(events, outcomes)),
  { numRuns: Math.ceil(Number(values.cases) / 10), seed },
)
if (abuse.failed)
  process.stdout.write(`WRONG ${fc.defaultReportMessage(abuse) ?? 'a case failed'}\nseed ${seed}\n`)
else process.stdout.write(`${abuse.numRuns} cases of abuse, sends by outcome: ${JSON.stringify(outcomes)}\n`)
const verdicts: AdvertisingCoverage = {}
const advertising = fc.check(
  fc.property(advertisingHistory, (events) => runAdvertisingHistory(events, verdicts)),
  { numRuns: Number(values.cases), seed },
)
if (advertising.failed)
  process.stdout.write(`WRONG ${fc.defaultReportMessage(advertising) ?? 'a case failed'}\nseed ${seed}\n`)
else
  process.stdout.write(
    `${advertising.numRuns} cases of advertisements, by verdict: ${JSON.stringify(verdicts)}\n`,
  )
process.exitCode = result.failed || abuse.failed || advertising.failed ? 1 : 0
