/** Lists the accounts of this cell for a proxy in front of several cells (GET /admin/v1/cell/map). */
import { Type } from 'typebox'
import { listAccountPage } from '../../identity/accounts/queries.ts'
import { readCursor, toPage } from '../cursor.ts'
import { clientId, page, pageQuery, record, text } from '../fields.ts'
import { defineOperation, readAccess } from '../operation.ts'

export const cellOperations = [
  defineOperation({
    id: 'showCellMap',
    method: 'get',
    path: '/admin/v1/cell/map',
    tag: 'Accounts',
    summary: 'List the accounts of this cell by client ID, with the name of the cell',
    access: readAccess(),
    action: 'cell map',
    command: {
      examples: ['> A1.map', '--json'],
      details:
        'The output is an HAProxy map file. Run the command in every cell, concatenate the outputs, copy the file to all proxies and reload them; deploy/cells/haproxy.cfg uses it for token requests.',
    },
    query: pageQuery,
    data: page(record({ clientId, cell: text('Name of the cell') }, 'An account'), 'Accounts'),
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
