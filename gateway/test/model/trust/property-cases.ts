/**
 * Child process of `run-property.ts`: `node property-cases.ts <cases> <seed>` runs the cases of each model
 * and sends their coverage.
 */
import fc from 'fast-check'
import { abuseHistory, runAbuseHistory } from './abuse-model.ts'
import { history, runHistory } from './model.ts'
import { wholeHistory } from './whole/events.ts'
import { runWholeHistory } from './whole/history.ts'

export interface CoverageReport {
  readonly model: string
  /** Error of the failed case; null if all cases passed. */
  readonly failure: string | null
  readonly coverage: Readonly<Record<string, number>>
}

const [numRuns = 0, seed = 0] = process.argv.slice(2).map(Number)

async function check<Case>(
  model: string,
  cases: fc.Arbitrary<Case>,
  run: (one: Case, coverage: Record<string, number>) => void | Promise<void>,
): Promise<void> {
  const coverage: Record<string, number> = {}
  const property = fc.asyncProperty(cases, async (one) => run(one, coverage))
  const result = await fc.check(property, { numRuns, seed })
  const failure = result.failed ? (fc.defaultReportMessage(result) ?? 'a case failed') : null
  if (result.failed) process.exitCode = 1
  process.send?.({ model, failure, coverage } satisfies CoverageReport)
}

await check('senders and origin codes', history, runHistory)
await check('protection against abuse', abuseHistory, runAbuseHistory)
await check('all rules', wholeHistory, runWholeHistory)
