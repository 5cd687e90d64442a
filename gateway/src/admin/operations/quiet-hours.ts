/** When advertisements are sent, and what becomes of those of the night. */
import { Type } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { asField } from '../../acts/names.ts'
import { changeHours, removeHours } from '../../acts/quiet-hours.ts'
import { readTime } from '../../acts/read-time.ts'
import { channels } from '../../channels/registry.ts'
import { everyChannel, nightChoices, type QuietChannel } from '../../trust/quiet-hours/choices.ts'
import { readQuietHours, type QuietHours } from '../../trust/quiet-hours/settings.ts'
import { formatMinutes } from '../../trust/quiet-hours/window.ts'
import { readCursor, toPage } from '../cursor.ts'
import { clientId, nullable, oneOf, page, pageQuery, record, text } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'
import { requireChange } from '../require-change.ts'

const path = '/admin/v1/quiet-hours'
/** Numbers of accounts are of the type integer. */
const maxAccount = 2_147_483_647
const time = (description: string) =>
  text(`${description}, in Korea, such as 08:30`, { pattern: '^[0-9]{2}:[0-9]{2}$' })

const hours = {
  opens: time('When advertisements may be sent, from 08:00 on'),
  closes: time('When no more are sent, up to 21:00'),
  night: oneOf(nightChoices, 'What becomes of an advertisement at night'),
}
const channel = oneOf(
  [...Object.keys(channels), everyChannel] as QuietChannel[],
  'The channel; *: all channels',
)
const placeFields = {
  account: Type.Optional(text('Client id; left out: all accounts', { minLength: 1, maxLength: 200 })),
  channel: Type.Optional(channel),
}
const shownPlace = { account: nullable(text('Client id; null: all accounts')), channel }
const Hours = record({ ...shownPlace, ...hours }, 'Hours of advertisements', { title: 'QuietHours' })

const placeOf = ({
  account,
  channel: one = everyChannel,
}: {
  readonly account?: string
  readonly channel?: QuietChannel
}) => ({ account, channel: one })

const toShown = ({ opensAt, closesAt, choice }: QuietHours) => ({
  ...{ opens: formatMinutes(opensAt), closes: formatMinutes(closesAt), night: choice },
})

export const quietHoursOperations = [
  defineOperation({
    id: 'listQuietHours',
    method: 'get',
    path,
    tag: 'Rules',
    summary: 'List the hours of advertisements that are set, those of all accounts first',
    description:
      'What is set for an account goes before what is set for all accounts, and a channel before all channels. Where nothing is set, advertisements are sent from 08:00 to 20:50 and refused otherwise.',
    access: reads(),
    action: 'trust quiet-hours',
    query: { ...pageQuery, account: Type.Optional(clientId) },
    data: page(Hours, 'Hours, by account and channel'),
    run: async ({ query: { limit, cursor, account } }, { database }) => {
      const accountId = account === undefined ? undefined : await requireAccountId(database, account)
      const position = Type.Tuple([
        Type.Integer({ minimum: 0, maximum: maxAccount }),
        Type.String({ maxLength: 40 }),
      ])
      const after = readCursor(position, cursor)
      const rows = await readQuietHours(database, {
        ...{ accountId, limit: limit + 1 },
        ...(after === undefined ? {} : { after: { accountId: after[0], channel: after[1] } }),
      })
      return toPage(
        rows,
        limit,
        (row) => ({ account: row.clientId, channel: row.channel, ...toShown(row) }),
        (row) => [row.accountId, row.channel],
      )
    },
  }),
  defineOperation({
    id: 'setQuietHours',
    method: 'patch',
    path,
    tag: 'Rules',
    summary:
      'Set the hours of advertisements of an account or of all; what is left out stays, and running processes follow within two seconds',
    access: changes('trust', 'required'),
    action: 'trust quiet-hours',
    body: { ...placeFields, ...Type.Partial(Type.Object(hours)).properties },
    data: Hours,
    run: async ({ body }, { audit }) => {
      const { opens, closes, night } = body
      requireChange({ opens, closes, night }, hours)
      const place = placeOf(body)
      const set = await changeHours(audit, place, {
        opensAt: opens === undefined ? undefined : readTime(opens, asField('opens')),
        closesAt: closes === undefined ? undefined : readTime(closes, asField('closes')),
        choice: night,
      })
      return { account: place.account ?? null, channel: place.channel, ...toShown(set) }
    },
  }),
  defineOperation({
    id: 'removeQuietHours',
    method: 'delete',
    path,
    tag: 'Rules',
    summary: 'Remove the hours that are set for an account and channel: those of all hold again',
    access: changes('trust', 'required'),
    action: 'trust quiet-hours',
    query: placeFields,
    data: record(shownPlace, 'What they were set for'),
    run: async ({ query }, { audit }) => {
      const { account, channel: one } = placeOf(query)
      await removeHours(audit, { account, channel: one })
      return { account: account ?? null, channel: one }
    },
  }),
]
