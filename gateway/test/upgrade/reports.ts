/** Reads an account's reports by polling until there are as many messages as expected, and some time longer. */
import type { AccountClient } from '../support/processes/account-client.ts'
import { withProgress } from '../support/progress.ts'
import { waitFor } from '../support/wait.ts'

export interface Collected {
  /** The report codes of each message, in the order of its steps. */
  readonly codes: ReadonlyMap<string, readonly string[]>
  /** Messages in more than one batch. */
  readonly twice: ReadonlySet<string>
}

const timeoutMs = 180_000
/** A message that ends twice does so soon after the first time. */
const quietMs = 3_000

export async function collectReports(client: AccountClient, expected: number): Promise<Collected> {
  const codes = new Map<string, string[]>()
  const twice = new Set<string>()
  const known = new Set<string>()
  let last = performance.now()
  const reading = waitFor(
    'every report',
    async () => {
      const batch = (await client.poll()).body.data
      if (batch === undefined || batch.reportId === '')
        return codes.size >= expected && performance.now() - last > quietMs
      if (!known.has(batch.reportId)) {
        const before = new Set(codes.keys())
        for (const { msgKey, reportCode } of batch.report) {
          if (before.has(msgKey)) twice.add(msgKey)
          codes.set(msgKey, [...(codes.get(msgKey) ?? []), reportCode])
        }
        known.add(batch.reportId)
        last = performance.now()
      }
      await client.acknowledge(batch.reportId)
      return false
    },
    { timeoutMs, everyMs: 100 },
  ).catch(() => undefined)
  await withProgress(reading, () => `${codes.size} of ${expected} messages are reported`)
  return { codes, twice }
}
