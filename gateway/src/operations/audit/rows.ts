/** Exports audit rows as their hashes cover them, in insertion order (POST /admin/v1/audit/export/rows). */
import { Type } from 'typebox'
import { readAudit, readAuditAfter, readTail, type Checkpoint } from '../../identity/audit/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { list, nullable, pageQuery, record, rowNumber, text, whole } from '../fields.ts'
import { defineOperation, personalDataAccess } from '../operation.ts'
import { wrongField } from '../errors.ts'
import { rowFields } from './fields.ts'

/** Last row of the page, and of the whole export. */
const Position = Type.Tuple([rowNumber('Row', 0), rowNumber('Row', 0)])

/**
 * Returns the last row of the export. It stays the same for all pages: rows added during the export, such as those of
 * its later requests, are excluded, so that it ends.
 */
async function readLast(
  database: Database,
  position: readonly [number, number] | undefined,
): Promise<Checkpoint> {
  if (position === undefined) return readTail(database)
  const row = await readAudit(database, position[1])
  if (row !== null) return { seq: row.seq, hash: row.hash }
  throw wrongField(
    'cursor',
    `refers to row ${position[1]}, which does not exist; omit it to start from the first page`,
  )
}

export const exportRowsOperation = defineOperation({
  id: 'exportAuditRows',
  method: 'post',
  path: '/admin/v1/audit/export/rows',
  tag: 'Audit',
  summary: 'Export rows of the audit log with all hashed fields, oldest first; the export is recorded',
  description:
    'Ends with the last row at the start of the export, including that of the first request. `last` is a checkpoint: stored elsewhere, it shows later whether rows are missing.',
  access: personalDataAccess('audit', 'required'),
  action: 'audit export',
  body: { ...pageQuery, after: Type.Optional(rowNumber('Only rows after this one', 0)) },
  data: record(
    {
      items: list(
        record(
          { ...rowFields, details: text('What changed, as the hashed text') },
          'A row of the audit log',
          { title: 'ExportedAuditRow' },
        ),
        'Rows',
      ),
      last: record(
        { seq: whole('Number of the row'), hash: text('Hash of the row') },
        'The last row of the export',
      ),
      next: nullable(text('Cursor of the next page; null on the last one')),
    },
    'A page of the export',
  ),
  run: async ({ body: { limit, cursor, after = 0 } }, { database, audit }) => {
    const position = readCursor(Position, cursor)
    const from = position?.[0] ?? after
    await audit.recordAccess({ target: 'audit log', details: { after: from } }, 'audit')
    const last = await readLast(database, position)
    const items = (await readAuditAfter(database, from, limit)).filter(({ seq }) => seq <= last.seq)
    const end = items.at(-1)?.seq ?? last.seq
    return { items, last, next: end < last.seq ? writeCursor([end, last.seq]) : null }
  },
})
