/** POST /admin/v1/audit/export/rows: rows as their hashes cover them, in the order in which they were added. */
import { Type } from 'typebox'
import { readAudit, readAuditAfter, readTail, type Checkpoint } from '../../audit/queries.ts'
import type { Database } from '../../platform/database.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { list, nullable, pageQuery, record, rowNumber, text, whole } from '../fields.ts'
import { defineOperation, looks } from '../operation.ts'
import { wrongField } from '../../acts/errors.ts'
import { rowFields } from './audit-fields.ts'

/** The last row of the page, and that of the whole export. */
const Position = Type.Tuple([rowNumber('Row', 0), rowNumber('Row', 0)])

/** Rows that are added meanwhile, such as those of the export itself, are not of it: it ends. */
async function readLast(
  database: Database,
  position: readonly [number, number] | undefined,
): Promise<Checkpoint> {
  if (position === undefined) return readTail(database)
  const row = await readAudit(database, position[1])
  if (row !== null) return { seq: row.seq, hash: row.hash }
  throw wrongField('cursor', `names row ${position[1]}, which does not exist; begin without a cursor`)
}

export const exportRowsOperation = defineOperation({
  id: 'exportAuditRows',
  method: 'post',
  path: '/admin/v1/audit/export/rows',
  tag: 'Audit',
  summary: 'Export rows of the audit log with everything that their hashes cover, the oldest first; recorded',
  description:
    'Up to the row that was the last when the export began, which includes that of the first request. `last` is a checkpoint: kept elsewhere, it shows later whether rows are missing.',
  access: looks('audit', 'required'),
  action: 'audit export',
  body: { ...pageQuery, after: Type.Optional(rowNumber('Only rows after this one', 0)) },
  data: record(
    {
      items: list(
        record(
          { ...rowFields, details: text('What changed, as the text that is hashed') },
          'A row of the audit log',
          { title: 'ExportedAuditRow' },
        ),
        'Rows',
      ),
      last: record({ seq: whole('Its number'), hash: text('Its hash') }, 'The last row of the export'),
      next: nullable(text('Cursor of the next page; null on the last one')),
    },
    'A page of the export',
  ),
  run: async ({ body: { limit, cursor, after = 0 } }, { database, audit }) => {
    const position = readCursor(Position, cursor)
    const from = position?.[0] ?? after
    await audit.look({ target: 'audit log', details: { after: from } }, 'audit')
    const last = await readLast(database, position)
    const items = (await readAuditAfter(database, from, limit)).filter(({ seq }) => seq <= last.seq)
    const end = items.at(-1)?.seq ?? last.seq
    return { items, last, next: end < last.seq ? writeCursor([end, last.seq]) : null }
  },
})
