/** `postern trust quiet-hours`. */
import { findAccountId } from '../../accounts/queries.ts'
import type { Queryable } from '../../platform/database.ts'
import {
  defaultQuietHours,
  everyAccount,
  everyChannel,
  readQuietHours,
  setQuietHours,
  type NightChoice,
  type QuietChannel,
  type QuietHoursRow,
} from '../../trust/quiet-hours/settings.ts'
import { formatMinutes } from '../../trust/quiet-hours/window.ts'
import { noSuchAccount } from '../account/view.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

export interface QuietHoursOptions {
  readonly account?: string
  readonly channel?: QuietChannel
  readonly night?: NightChoice
  /** Minutes after midnight. */
  readonly opens?: number
  readonly closes?: number
  readonly remove?: true
}

export async function changeQuietHours(invocation: Invocation, options: QuietHoursOptions): Promise<Result> {
  const { account, channel = everyChannel, night, opens, closes, remove } = options
  const changes = night !== undefined || opens !== undefined || closes !== undefined
  if (remove === true && changes) throw new UsageError('--remove cannot be combined with hours or --night')
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      const accountId = account === undefined ? everyAccount : await idOf(transaction, account)
      const subject = { target: `quiet hours of ${channel}`, account: account ?? null }
      const show = async (): Promise<Result> => {
        const rows = await readQuietHours(transaction)
        return describe(rows.filter((row) => account === undefined || row.accountId === accountId))
      }
      if (remove === true || changes) audit.requireReason('a change of the hours of advertisements')
      if (remove === true) {
        await setQuietHours(transaction, accountId, channel, null)
        return [await show(), { ...subject, details: { removed: true } }]
      }
      if (!changes) return [await show(), null]
      const before = (await readQuietHours(transaction)).find(
        (row) => row.accountId === accountId && row.channel === channel,
      )
      const { opensAt, closesAt, choice } = before ?? defaultQuietHours
      const hours = { opensAt: opens ?? opensAt, closesAt: closes ?? closesAt, choice: night ?? choice }
      if (hours.opensAt >= hours.closesAt) throw new UsageError('--closes must be later than --opens')
      await setQuietHours(transaction, accountId, channel, hours)
      return [await show(), { ...subject, details: hours }]
    }),
  )
}

async function idOf(database: Queryable, clientId: string): Promise<number> {
  const id = await findAccountId(database, clientId)
  if (id === null) throw noSuchAccount(clientId)
  return id
}

function describe(rows: readonly QuietHoursRow[]): Result {
  const shown = rows.map(({ clientId, channel, opensAt, closesAt, choice }) => ({
    ...{ account: clientId, channel },
    ...{ opens: formatMinutes(opensAt), closes: formatMinutes(closesAt), night: choice },
  }))
  const { opensAt, closesAt, choice } = defaultQuietHours
  return {
    json: { quietHours: shown },
    lines: table([
      ['account', 'channel', 'advertisements', 'otherwise'],
      ...shown.map((row) => [row.account ?? 'all', row.channel, `${row.opens} to ${row.closes}`, row.night]),
      ['others', '', `${formatMinutes(opensAt)} to ${formatMinutes(closesAt)}`, choice],
    ]),
  }
}
