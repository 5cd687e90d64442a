/**
 * `npm run lookups [-- --lost N] [--ttl N]`: how many submissions with a lost response or receipt are resolved by asking the
 * carrier, how fast, and that none is sent twice. Exits with 0 when nothing is wrong.
 */
import { printProgress } from '../support/progress.ts'
import { readOptions } from '../endurance/options.ts'
import { runCommand } from '../endurance/run-command.ts'
import { findWrong, measureLookups, type LookupCase } from './measure.ts'

const { lost, ttl } = readOptions({
  name: 'lookups',
  about: 'what becomes of submissions whose response or receipt is lost',
  figures: {
    lost: {
      default: 10_000,
      help: 'lost responses at each of three carriers, and half as many again without a receipt',
    },
    ttl: { default: 120, help: 'seconds until a message expires' },
  },
})

await runCommand('lookups', async () => {
  const result = await measureLookups({ lost, ttlSeconds: ttl })
  process.stdout.write(toTable(result.cases))
  printProgress(`sent twice: ${result.sentTwice}; without exactly one report: ${result.unended}`)
  return findWrong(result)
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
