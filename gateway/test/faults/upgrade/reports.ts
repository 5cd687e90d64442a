import type { AccountClient } from '../../support/processes/account-client.ts'
import { withProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'

export interface CollectedReports {
  /** Report codes by message, in order of steps. */
  readonly codes: ReadonlyMap<string, readonly string[]>
  /** msgKeys in more than one batch. */
  readonly twice: ReadonlySet<string>
}

const timeoutMs = 180_000
/** Further polling time to detect messages that end twice. */
const quietMs = 3_000

/** Polls until `expected` messages are reported, and for some time after that. */
export async function collectUpgradeReports(
  client: AccountClient,
  expected: number,
): Promise<CollectedReports> {
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
