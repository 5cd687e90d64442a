/** GET /admin/v1/cell/map: what a proxy in front of several cells needs to know. */
import { Type } from 'typebox'
import { listAccountPage } from '../../accounts/queries.ts'
import { readCursor, toPage } from '../cursor.ts'
import { clientId, page, pageQuery, record, text } from '../fields.ts'
import { defineOperation, reads } from '../operation.ts'

export const cellOperations = [
  defineOperation({
    id: 'showCellMap',
    method: 'get',
    path: '/admin/v1/cell/map',
    tag: 'Accounts',
    summary: 'List the accounts of this cell, by client id',
    access: reads(),
    action: 'cell map',
    query: pageQuery,
    data: record(
      {
        cell: text('Name of this cell'),
        ...page(record({ clientId }, 'An account'), 'Accounts').properties,
      },
      'A page of the map',
    ),
    run: async ({ query: { limit, cursor } }, { database, services: { config } }) => {
      const after = readCursor(Type.Tuple([Type.String({ maxLength: 200 })]), cursor)?.[0]
      const rows = await listAccountPage(database, { after, limit: limit + 1 })
      const { items, next } = toPage(
        rows,
        limit,
        (account) => ({ clientId: account.clientId }),
        (account) => [account.clientId],
      )
      return { cell: config.cell, items, next }
    },
  }),
]
