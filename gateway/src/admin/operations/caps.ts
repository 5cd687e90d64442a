/** Caps of all accounts: how many messages they send by day and month. */
import { Type } from 'typebox'
import { clock } from '../../platform/clock.ts'
import { createFindPeriodStart } from '../../trust/abuse/caps.ts'
import { listCaps } from '../../trust/abuse/cap-store.ts'
import { periods } from '../../trust/abuse/protection-choices.ts'
import { readCursor, toPage } from '../cursor.ts'
import { clientId, oneOf, page, pageQuery, record, text, whole } from '../fields.ts'
import { defineOperation, reads } from '../operation.ts'

const period = oneOf(periods, 'Days and months are those of POSTERN_TIME_ZONE')
const capClass = text('`all`, a channel, or the ISO code of a country of international messages', {
  minLength: 2,
  maxLength: 40,
})
const max = whole('At most so many messages; parts of international messages', {
  minimum: 0,
  maximum: 1_000_000_000,
})
const position = Type.Tuple([
  Type.String({ maxLength: 200 }),
  Type.String({ maxLength: 40 }),
  Type.String({ maxLength: 10 }),
])

export const capOperations = [
  defineOperation({
    id: 'listCaps',
    method: 'get',
    path: '/admin/v1/caps',
    tag: 'Rules',
    summary: 'List the caps of accounts with what is used of them in the present day or month',
    access: reads(),
    action: 'protection show',
    query: {
      ...pageQuery,
      account: Type.Optional(clientId),
      usedPercent: Type.Optional(
        whole('Only those of which at least this percentage is used', { minimum: 0, maximum: 100 }),
      ),
    },
    data: page(
      record(
        {
          account: clientId,
          class: capClass,
          period,
          max,
          used: whole('Used, with what API processes have reserved'),
        },
        'A cap',
        { title: 'AccountCap' },
      ),
      'Caps, by account, class and period',
    ),
    run: async ({ query: { limit, cursor, account, usedPercent } }, { database, services: { config } }) => {
      const after = readCursor(position, cursor)
      const findPeriodStart = createFindPeriodStart(config.timeZone)
      const now = clock.now()
      const rows = await listCaps(
        database,
        { day: findPeriodStart('day', now), month: findPeriodStart('month', now) },
        {
          clientId: account,
          usedPercent,
          limit: limit + 1,
          after: after === undefined ? undefined : { clientId: after[0], class: after[1], period: after[2] },
        },
      )
      return toPage(
        rows,
        limit,
        ({ clientId: owner, ...cap }) => ({ ...cap, account: owner }),
        (cap) => [cap.clientId, cap.class, cap.period],
      )
    },
  }),
]
