/** Quiet hours of advertisements. A change and its audit row commit together. */
import { Type } from 'typebox'
import { lockAccount, requireAccountId } from '../find-account.ts'
import { OperationError, wrongField } from '../errors.ts'
import { channelNames } from '../../channels/channel-names.ts'
import type { Queryable } from '../../platform/database/database.ts'
import {
  everyAccount,
  everyChannel,
  nightChoices,
  type QuietChannel,
} from '../../trust/quiet-hours/choices.ts'
import {
  changeQuietHours,
  readQuietHours,
  setQuietHours,
  type QuietHours,
} from '../../trust/quiet-hours/settings.ts'
import { formatMinutes, legalWindow } from '../../trust/quiet-hours/window.ts'
import { readCursor, toPage } from '../cursor.ts'
import { clientId, nullable, oneOf, page, pageQuery, record, text } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'
import { requireChange } from '../require-change.ts'

const path = '/admin/v1/quiet-hours'
/** Account numbers have the type integer; PostgreSQL would fail for a larger one in a cursor. */
const maxAccount = 2_147_483_647
const time = (description: string, example: string) =>
  text(`${description}, in Korea, such as ${example}`, { pattern: '^[0-9]{1,2}:[0-9]{2}$' })

const hours = {
  opens: time('Start of the hours in which advertisements are sent, from 08:00', '08:30'),
  closes: time('End of the hours in which advertisements are sent, up to 21:00', '20:30'),
  night: oneOf(nightChoices, 'What happens to advertisements at night'),
}
const channel = oneOf([...channelNames, everyChannel] as QuietChannel[], 'The channel; * means all channels')
const scopeFields = {
  account: Type.Optional(
    text('Client ID of the account; all accounts if omitted', { minLength: 1, maxLength: 200 }),
  ),
  channel: Type.Optional(channel),
}
const shownScope = { account: nullable(text('Client ID; null means all accounts')), channel }
const Hours = record({ ...shownScope, ...hours }, 'Hours in which advertisements are sent', {
  title: 'QuietHours',
})

const toShown = ({ opensAt, closesAt, choice }: QuietHours) => ({
  opens: formatMinutes(opensAt),
  closes: formatMinutes(closesAt),
  night: choice,
})

export const quietHoursOperations = [
  defineOperation({
    id: 'listQuietHours',
    method: 'get',
    path,
    tag: 'Rules',
    summary: 'List the configured hours of advertisements, those of all accounts first',
    description:
      'Settings of an account take precedence over those of all accounts, and a channel over all channels. By default, advertisements are sent from 08:00 to 20:50 and rejected otherwise.',
    access: readAccess(),
    action: 'trust quiet-hours list',
    command: { examples: ['', '--account shop-1'] },
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
        accountId,
        limit: limit + 1,
        ...(after && { after: { accountId: after[0], channel: after[1] } }),
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
      'Set the hours of advertisements of an account or of all accounts; omitted settings are kept, and the change takes effect in all processes within two seconds',
    access: writeAccess('trust', 'required'),
    action: 'trust quiet-hours set',
    command: {
      examples: [
        '--account shop-1 --night hold --reason "asked by the customer"',
        '--channel friendtalk --closes 20:00 --reason "rule of the channel"',
      ],
    },
    body: { ...scopeFields, ...Type.Partial(Type.Object(hours)).properties },
    data: Hours,
    run: ({ body }, { audit }) => {
      const { account, channel: quietChannel = everyChannel, ...change } = body
      requireChange(change, hours)
      const opensAt = change.opens && readTime(change.opens, 'opens')
      const closesAt = change.closes && readTime(change.closes, 'closes')
      return audit.change(async (transaction) => {
        const accountId = await lockGivenAccount(transaction, account)
        const stored = await changeQuietHours(transaction, accountId, quietChannel, (before) =>
          requireOrder({
            opensAt: opensAt || before.opensAt,
            closesAt: closesAt || before.closesAt,
            choice: change.night ?? before.choice,
          }),
        )
        return [
          { account: account ?? null, channel: quietChannel, ...toShown(stored) },
          { ...toSubject(account, quietChannel), details: { ...stored } },
        ]
      })
    },
  }),
  defineOperation({
    id: 'removeQuietHours',
    method: 'delete',
    path,
    tag: 'Rules',
    summary: 'Remove the hours of an account and channel; the general ones apply again',
    access: writeAccess('trust', 'required'),
    action: 'trust quiet-hours remove',
    command: { examples: ['--account shop-1 --reason "asked by the customer"'] },
    query: scopeFields,
    data: record(shownScope, 'Account and channel'),
    run: ({ query: { account, channel: quietChannel = everyChannel } }, { audit }) =>
      audit.change(async (transaction) => {
        await setQuietHours(transaction, await lockGivenAccount(transaction, account), quietChannel, null)
        return [
          { account: account ?? null, channel: quietChannel },
          { ...toSubject(account, quietChannel), details: { removed: true } },
        ]
      }),
  }),
]

async function lockGivenAccount(transaction: Queryable, account: string | undefined): Promise<number> {
  return account === undefined ? everyAccount : (await lockAccount(transaction, account)).id
}

const toSubject = (account: string | undefined, quietChannel: QuietChannel) => ({
  target: `quiet hours of ${quietChannel}`,
  account: account ?? null,
})

/** Parses a time such as `08:30` to minutes after midnight. */
function readTime(given: string, field: string): number {
  const [hour, minute] = given.split(':').map(Number) as [number, number]
  const minutes = hour * 60 + minute
  const { opensAt, closesAt } = legalWindow
  if (minute < 60 && minutes >= opensAt && minutes <= closesAt) return minutes
  throw wrongField(
    field,
    `must be a time from ${formatMinutes(opensAt)} to ${formatMinutes(closesAt)}, the legal hours for advertisements, not '${given}'`,
  )
}

function requireOrder(given: QuietHours): QuietHours {
  if (given.opensAt < given.closesAt) return given
  throw new OperationError(
    'invalid-request',
    `'closes' must be after 'opens', got ${formatMinutes(given.opensAt)} to ${formatMinutes(given.closesAt)}; send both times`,
  )
}
