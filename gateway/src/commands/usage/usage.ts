/** `postern usage`: counts of closed messages of an account. */
import { requireAccountId } from '../../acts/accounts.ts'
import { Problem } from '../../contract/problem.ts'
import { clock } from '../../platform/clock.ts'
import { readUsage, type UsageRow } from '../../records/usage/queries.ts'
import { afterRow, readUsageQuery } from '../../records/usage/query.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { usageResult } from './view.ts'

export interface UsageOptions {
  readonly from?: string
  readonly to?: string
  /** Comma-separated. */
  readonly groupBy?: string
}

export function showUsage(
  invocation: Invocation<'timeZone'>,
  clientId: string,
  { from, to, groupBy: by }: UsageOptions,
): Promise<Result> {
  return withDatabase(invocation, async (database, { timeZone }) => {
    const accountId = await requireAccountId(database, clientId)
    const now = clock.date()
    const rows: UsageRow[] = []
    for (let after: string | undefined; ;) {
      const asked = readQuery({ from, to, by, after }, timeZone, now)
      const { limit } = asked.page
      const found = await readUsage(database, accountId, asked.from, asked.to, asked.by, timeZone, {
        ...{ ...asked.page, limit: limit + 1 },
      })
      rows.push(...found.slice(0, limit))
      if (found.length <= limit) return usageResult(clientId, rows)
      after = afterRow(rows.at(-1)!, asked.by)
    }
  })
}

function readQuery(...given: Parameters<typeof readUsageQuery>): ReturnType<typeof readUsageQuery> {
  try {
    return readUsageQuery(...given)
  } catch (error) {
    throw error instanceof Problem ? new FailedError(error.message) : error
  }
}
