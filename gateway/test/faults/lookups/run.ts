/**
 * `npm run suite -- lookups [--lost N] [--ttl N]` measures how many submissions with a lost response or
 * receipt are resolved by lookups, how fast, and checks that none is sent twice. Exits with 0 if there are no
 * findings.
 */
import { printProgress } from '../../support/measure/progress.ts'
import { readOptions } from '../../load/options.ts'
import { runCommand } from '../../load/run-command.ts'
import { checkLookups, measureLookups, type LookupCase } from './measure.ts'

const { lost, ttl } = readOptions({
  name: 'lookups',
  about: 'what happens to submissions whose response or receipt is lost',
  figures: {
    lost: {
      default: 10_000,
      help: 'lost responses at each of three carriers, and 1.5 times as many submissions without a receipt',
    },
    ttl: { default: 120, help: 'seconds until a message expires' },
  },
})

await runCommand('lookups', async () => {
  const result = await measureLookups({ lost, ttlSeconds: ttl })
  process.stdout.write(toTable(result.cases))
  printProgress(`sent twice: ${result.sentTwice}; without exactly one report: ${result.unfinished}`)
  return checkLookups(result)
})

function toTable(cases: readonly LookupCase[]): string {
  const seconds = (value: number | null): string => (value === null ? '' : `${value.toFixed(1)} s`)
  const rows = cases.map(({ carrier, missing, submitted, resolved, p50, p99 }) =>
    ['', carrier, missing, submitted, resolved, seconds(p50), seconds(p99), ''].join(' | ').trim(),
  )
  return [
    '| Carrier | Lost | Submitted | Resolved | p50 | p99 |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
