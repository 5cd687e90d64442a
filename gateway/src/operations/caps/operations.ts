import { Type } from 'typebox'
import { clock } from '../../platform/time/clock.ts'
import { createFindPeriodStart } from '../../trust/abuse/caps.ts'
import { listCaps } from '../../trust/abuse/cap-store.ts'
import { periods } from '../../trust/abuse/protection-choices.ts'
import { readCursor, toPage } from '../cursor.ts'
import { clientId, oneOf, page, pageQuery, record, text, whole } from '../fields.ts'
import { defineOperation, readAccess } from '../operation.ts'

const period = oneOf(periods, 'Days and months are those of POSTERN_TIME_ZONE')
const capClass = text('`all`, a channel, or the ISO code of a country of international messages', {
  minLength: 2,
  maxLength: 40,
})
const max = whole('Maximum messages; for international messages, maximum parts', {
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
    summary: 'List the caps of accounts and their use in the current day or month',
    access: readAccess(),
    action: 'protection show',
    query: {
      ...pageQuery,
      account: Type.Optional(clientId),
      usedPercent: Type.Optional(
        whole('Only caps of which at least this percentage is used', { minimum: 0, maximum: 100 }),
      ),
    },
    data: page(
      record(
        {
          account: clientId,
          class: capClass,
          period,
          max,
          used: whole('Messages used, including those reserved by API processes'),
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
        ({ clientId: capAccount, ...cap }) => ({ ...cap, account: capAccount }),
        (cap) => [cap.clientId, cap.class, cap.period],
      )
    },
  }),
]
