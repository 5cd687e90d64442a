/** docs/reports-at-size.md from what was measured. Pure. */
import type { Spread } from '../support/statistics.ts'
import type { Size } from './fill-tables.ts'

export interface SizeResult {
  readonly size: Size
  readonly seconds: number
  readonly firstMs: number
  readonly writtenPerSecond: number
  readonly poll: Spread
  readonly others: Spread
  readonly acknowledge: Spread
  readonly plans: ReadonlyMap<string, string>
  readonly machine: string
}

const count = (n: number): string => n.toLocaleString('en-US')
const ms = (value: number): string => `${value.toFixed(1)} ms`
const spread = ({ p50, p99, max }: Spread): string => [p50, p99, max].map(ms).join(' / ')

export function sizePage(result: SizeResult): string {
  const { size, seconds, firstMs, writtenPerSecond, poll, others, acknowledge, plans, machine } = result
  return `# Reports at size

\`npm run reports:size -- --write\`: one account has ${count(size.pending)} reports waiting and ${count(size.expired)} more that
have expired from polling, ${count(size.accounts)} accounts have ${size.each} each, over 33 day partitions. While ${count(Math.round(writtenPerSecond))} reports a
second are written by the statements of the gateway, the account collects and acknowledges batches of 1,000, and accounts at
random collect theirs, for ${seconds} seconds.

| p50 / p99 / max | measured | bound |
| --- | ---: | ---: |
| poll of 1,000 (${count(poll.count)} of them) | ${spread(poll)} | p99 < 100 ms |
| poll of an account at random (${count(others.count)}) | ${spread(others)} | |
| acknowledge (${count(acknowledge.count)}) | ${spread(acknowledge)} | p99 < 20 ms |
| the first poll, which steps over ${count(size.expired)} expired reports | ${ms(firstMs)} | |

Measured with ${machine}; everything on this one machine.

## How PostgreSQL carries them out

Ranges of an index and nothing else. A partition that has nothing in the range costs a look at the root of its index.

${[...plans].map(([name, plan]) => `### ${name}\n\n\`\`\`\n${shorten(plan)}\n\`\`\``).join('\n\n')}
`
}

/** Shows three of the 33 equal nodes of partitions. */
function shorten(plan: string): string {
  const lines = plan.split('\n')
  const shown: string[] = []
  let nodes = 0
  let left = 0
  for (const line of lines) {
    if (/^ +-> +Index Scan/.test(line)) nodes++
    if (/^[A-Z]/.test(line)) nodes = 0
    if (nodes <= 3) shown.push(line)
    else if (line.includes('Index Scan')) left++
  }
  if (left > 0) shown.push(`(and ${left} partitions more in the same way)`)
  return shown.join('\n')
}
