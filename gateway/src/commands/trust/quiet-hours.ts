/** `postern trust quiet-hours`. */
import { findAccountId } from '../../accounts/queries.ts'
import type { Database } from '../../platform/database.ts'
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

export async function changeQuietHours(options: QuietHoursOptions): Promise<Result> {
  const { account, channel = everyChannel, night, opens, closes, remove } = options
  const changes = night !== undefined || opens !== undefined || closes !== undefined
  if (remove === true && changes) throw new UsageError('--remove cannot be combined with hours or --night')
  return withDatabase(async (database) => {
    const accountId = account === undefined ? everyAccount : await idOf(database, account)
    if (remove === true) await setQuietHours(database, accountId, channel, null)
    else if (changes) {
      const before = (await readQuietHours(database)).find(
        (row) => row.accountId === accountId && row.channel === channel,
      )
      const { opensAt, closesAt, choice } = before ?? defaultQuietHours
      const hours = { opensAt: opens ?? opensAt, closesAt: closes ?? closesAt, choice: night ?? choice }
      if (hours.opensAt >= hours.closesAt) throw new UsageError('--closes must be later than --opens')
      await setQuietHours(database, accountId, channel, hours)
    }
    const rows = await readQuietHours(database)
    return describe(rows.filter((row) => account === undefined || row.accountId === accountId))
  })
}

async function idOf(database: Database, clientId: string): Promise<number> {
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
