/** The audit log: list and show. */
import { Type } from 'typebox'
import { NotFoundError } from '../../acts/errors.ts'
import type { AuditRow } from '../../audit/entry.ts'
import { listAudit, readAudit } from '../../audit/queries.ts'
import { readCursor, toPage } from '../cursor.ts'
import { clientId, nullable, oneOf, page, pageQuery, record, text, time, whole } from '../fields.ts'
import { defineOperation, reads, type AdminOperation } from '../operation.ts'

const Row = record(
  {
    seq: whole('Number of the row'),
    at: time('When it happened'),
    actor: text('Who did it'),
    role: text('In which role; shell: without operators; process: by a process'),
    keyId: nullable(text('Id of the key')),
    source: text('The host of a command, or the address of a request'),
    requestId: text('The same for everything that one command or request did'),
    action: text('What was done: the name of the command that does the same'),
    result: oneOf(
      ['done', 'begun', 'failed', 'refused', 'looked'],
      'How it ended; looked: personal data was shown',
    ),
    target: text('What it was done to'),
    account: nullable(text('Client id, where it concerns an account')),
    reason: text('Why'),
    details: Type.Unknown({ description: 'What changed' }),
    hash: text('Hash of the row, which covers that of the row before'),
  },
  'A row of the audit log',
)

function toRow(row: AuditRow) {
  return { ...row, details: JSON.parse(row.details) as unknown }
}

export const auditOperations: readonly AdminOperation[] = [
  defineOperation({
    id: 'listAudit',
    method: 'get',
    path: '/admin/v1/audit',
    tag: 'Audit',
    summary: 'List the audit log, the newest first',
    access: reads('audit'),
    action: 'audit list',
    query: {
      ...pageQuery,
      account: Type.Optional(clientId),
      actor: Type.Optional(text('Who did it', { minLength: 1, maxLength: 200 })),
      action: Type.Optional(
        text('An action, or its first words such as `account`', { minLength: 1, maxLength: 100 }),
      ),
    },
    data: page(Row, 'Rows'),
    run: async ({ query: { limit, cursor, account, actor, action } }, { database }) => {
      const before = readCursor(Type.Tuple([Type.Integer({ minimum: 0 })]), cursor)?.[0]
      const rows = await listAudit(database, { account, by: actor, action, before, limit: limit + 1 })
      return toPage(rows, limit, toRow, ({ seq }) => [seq])
    },
  }),
  defineOperation({
    id: 'showAudit',
    method: 'get',
    path: '/admin/v1/audit/{id}',
    tag: 'Audit',
    summary: 'Show a row of the audit log',
    access: reads('audit'),
    action: 'audit show',
    params: { id: Type.Integer({ minimum: 1, description: 'Number of the row' }) },
    data: Row,
    run: async ({ params: { id } }, { database }) => {
      const row = await readAudit(database, id)
      if (row === null) throw new NotFoundError(`there is no row ${id}`)
      return toRow(row)
    },
  }),
]
