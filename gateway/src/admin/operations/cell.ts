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
    summary: 'List the accounts of this cell with the name of the cell, by client id',
    access: reads(),
    action: 'cell map',
    command: {
      examples: ['> A1.map', '--json'],
      details:
        'The text is a map file of HAProxy. Run the command in every cell, join the outputs, give the file to all proxies and reload them; deploy/cells/haproxy.cfg reads it for token requests.',
    },
    query: pageQuery,
    data: page(record({ clientId, cell: text('Name of its cell') }, 'An account'), 'Accounts'),
    run: async ({ query: { limit, cursor } }, { database, services: { config } }) => {
      const after = readCursor(Type.Tuple([Type.String({ maxLength: 200 })]), cursor)?.[0]
      const rows = await listAccountPage(database, { after, limit: limit + 1 })
      return toPage(
        rows,
        limit,
        (account) => ({ clientId: account.clientId, cell: config.cell }),
        (account) => [account.clientId],
      )
    },
  }),
]
