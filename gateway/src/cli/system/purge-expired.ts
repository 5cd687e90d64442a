/** `postern purge-expired`: drops every day past retention, confirmed by an operator. */
import { clock } from '../../platform/time/clock.ts'
import { maintainPartitions } from '../../records/partitions.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

export function purgeExpired(invocation: Invocation<'retentionDays'>): Promise<Result> {
  return withDatabase(invocation, async (database, { retentionDays }, audit) => {
    const now = clock.date()
    if (!clock.agrees)
      throw new FailedError(
        "this host's clock differs from PostgreSQL's, so one of them is wrong; correct it, or run the command on a host whose clock is right",
      )
    const dropped = await audit.around(
      { target: 'days past retention', details: { retentionDays } },
      async () => {
        const { unconfirmed } = await maintainPartitions(database, retentionDays, now)
        await maintainPartitions(database, retentionDays, now, { confirmed: true })
        return unconfirmed
      },
      (names) => ({ days: names.length, first: names[0], last: names.at(-1) }),
    )
    const days = dropped.length === 0 ? 'no additional days' : `${dropped.length} days`
    return {
      json: { now: now.toISOString(), retentionDays, dropped },
      lines: [`dropped ${days} past the retention of ${retentionDays} days (now ${now.toISOString()})`],
    }
  })
}
