/** `postern trust quiet-hours`, both ways. */
import type { HoursPlace } from '../../acts/quiet-hours.ts'
import { everyChannel, type NightChoice, type QuietChannel } from '../../trust/quiet-hours/choices.ts'
import { defaultQuietHours } from '../../trust/quiet-hours/settings.ts'
import { formatMinutes } from '../../trust/quiet-hours/window.ts'
import { UsageError } from '../errors.ts'
import type { AdminClient, Item } from '../client/client.ts'
import { failedAfter } from '../client/explain.ts'
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

type Act = 'show' | 'change' | 'remove'

function readOptions(options: QuietHoursOptions): HoursPlace & { readonly act: Act } {
  const { account, channel = everyChannel, night, opens, closes, remove } = options
  const changes = night !== undefined || opens !== undefined || closes !== undefined
  if (remove === true && changes) throw new UsageError('--remove cannot be combined with hours or --night')
  return { account, channel, act: remove === true ? 'remove' : changes ? 'change' : 'show' }
}

export async function changeQuietHours(admin: AdminClient, options: QuietHoursOptions): Promise<Result> {
  const { act, account, channel } = readOptions(options)
  const { opens, closes, night } = options
  const list = () => admin.readAll((page) => admin.call('listQuietHours', { query: { ...page, account } }))
  if (act === 'show') return describe(await list())
  const reason = admin.requireReason()
  if (act === 'remove') await admin.call('removeQuietHours', { query: { account, channel, ...reason } })
  else {
    const times = {
      ...(opens === undefined ? {} : { opens: formatMinutes(opens) }),
      ...(closes === undefined ? {} : { closes: formatMinutes(closes) }),
    }
    await admin.call('setQuietHours', { body: { account, channel, night, ...times, ...reason } })
  }
  const rows = await list().catch((error: unknown) => {
    throw failedAfter(`the hours are ${act === 'remove' ? 'removed' : 'changed'}`, error)
  })
  return describe(rows)
}

type ShownHours = Item<'listQuietHours'>

function describe(rows: readonly ShownHours[]): Result {
  const shown = rows.map(({ account, channel, opens, closes, night }) => ({
    ...{ account, channel, opens, closes, night },
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
