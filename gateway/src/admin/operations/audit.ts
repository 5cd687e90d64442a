/** The audit log: list, show, verify and export. */
import { Type, type Static, type TObject } from 'typebox'
import { notFound } from '../../acts/errors.ts'
import type { AuditRow } from '../../audit/entry.ts'
import { listAudit, readAudit, type AuditFilter } from '../../audit/queries.ts'
import { toCsv } from '../../records/usage/csv.ts'
import { verifyOnce } from '../audit-verification.ts'
import { readCursor, toPage } from '../cursor.ts'
import { clientId, flag, nullable, page, pageQuery, record, rowNumber, text, time, whole } from '../fields.ts'
import { defineOperation, looks, reads } from '../operation.ts'
import { wrongField } from '../../acts/errors.ts'
import { rowFields } from './audit-fields.ts'
import { exportRowsOperation } from './audit-rows.ts'

const Row = record(rowFields, 'A row of the audit log', { title: 'AuditRow' })

const filters = {
  account: Type.Optional(clientId),
  actor: Type.Optional(text('Who did it', { minLength: 1, maxLength: 200 })),
  action: Type.Optional(
    text('An action, or its first words such as `account`', { minLength: 1, maxLength: 100 }),
  ),
  result: Type.Optional(rowFields.result),
  target: Type.Optional(text('What it was done to, exactly', { minLength: 1, maxLength: 500 })),
  requestId: Type.Optional(text('Of one command or request', { minLength: 1, maxLength: 200 })),
  since: Type.Optional(text('At or after this time', { format: 'date-time', maxLength: 40 })),
  until: Type.Optional(text('Before this time', { format: 'date-time', maxLength: 40 })),
}

const position = Type.Tuple([rowNumber('Number of the last row of the page', 0)])

function toFilter(
  { actor, since, until, ...given }: Static<TObject<typeof filters>>,
  cursor: string | undefined,
): Omit<AuditFilter, 'limit'> {
  return {
    ...given,
    by: actor,
    before: readCursor(position, cursor)?.[0],
    since: since === undefined ? undefined : timeAt('since', since),
    until: until === undefined ? undefined : timeAt('until', until),
  }
}

/** The format of the schema allows times that `Date` cannot read, such as a leap second. */
function timeAt(name: string, given: string): Date {
  const at = new Date(given)
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 1970)
    throw wrongField(name, `must be a time such as 2026-11-16T09:00:00Z`)
  return at
}

const csvColumns = [
  ...['seq', 'at', 'actor', 'role', 'source', 'action', 'result', 'target', 'account', 'reason', 'details'],
  ...['requestId', 'keyId', 'databaseUser', 'hash'],
]
/** Details have up to 16 KB each: an answer stays below some megabytes. */
const maxExported = 500

function toRow(row: AuditRow) {
  return { ...row, details: JSON.parse(row.details) as unknown }
}

const toCsvRow = (row: AuditRow) => ({ ...row, at: row.at.toISOString() })

export const auditOperations = [
  defineOperation({
    id: 'listAudit',
    method: 'get',
    path: '/admin/v1/audit',
    tag: 'Audit',
    summary: 'List the audit log, the newest first',
    access: reads('audit'),
    action: 'audit list',
    command: {
      examples: [
        '--account shop-1',
        '--result refused',
        '--action "account key" --since 2026-11-01T00:00:00Z',
      ],
      columns: ['seq', 'at', 'actor', 'role', 'action', 'result', 'target', 'reason'],
      limit: 100,
    },
    query: {
      ...pageQuery,
      ...filters,
      before: Type.Optional(rowNumber('Only rows before this one; a cursor goes before it')),
    },
    data: page(Row, 'Rows'),
    run: async ({ query: { limit, cursor, before, ...given } }, { database }) => {
      const filter = toFilter(given, cursor)
      const rows = await listAudit(database, {
        ...filter,
        before: filter.before ?? before,
        limit: limit + 1,
      })
      return toPage(rows, limit, toRow, ({ seq }) => [seq])
    },
  }),
  defineOperation({
    id: 'verifyAudit',
    method: 'get',
    path: '/admin/v1/audit/verification',
    tag: 'Audit',
    summary: 'Check that no row of the audit log was changed, removed or moved',
    description:
      'By default the newest 5,000 rows; `all` follows the chain from the first row, which takes seconds for a long log. Rows that were removed at the end together with the tail are found only with a checkpoint that was kept elsewhere, on the command line.',
    access: reads('audit'),
    action: 'audit verify',
    query: { all: Type.Optional(flag('Verify every row')) },
    data: record(
      {
        verifiedAt: time('When it began; an answer that is younger than ten seconds is given again'),
        rows: whole('Rows that were verified'),
        all: flag('Whether these are all'),
        last: record({ seq: whole('Its number'), hash: text('Its hash') }, 'The last row'),
        broken: nullable(text('What is wrong, with the number of the row; null: nothing')),
      },
      'The verification',
    ),
    run: ({ query: { all = false } }, { database }) => verifyOnce(database, all),
  }),
  defineOperation({
    id: 'exportAudit',
    method: 'post',
    path: '/admin/v1/audit/export',
    tag: 'Audit',
    summary: 'Export rows of the audit log as CSV, the newest first; recorded',
    description: `At most ${maxExported} rows; \`next\` is the cursor of those before them. A text that a spreadsheet would take for a formula begins with an apostrophe.`,
    access: looks('audit', 'required'),
    action: 'audit export',
    body: { ...filters, cursor: pageQuery.cursor },
    data: record(
      {
        csv: text('The rows; the first line has the names of the columns'),
        rows: whole('How many'),
        next: nullable(text('Cursor of the next part; null at the end')),
      },
      'A part of the export',
    ),
    run: async ({ body: { cursor, ...given } }, { database, audit }) => {
      const filter = toFilter(given, cursor)
      const { before = null } = filter
      await audit.look({ target: 'audit log', details: { ...given, before } }, 'audit')
      const found = await listAudit(database, { ...filter, limit: maxExported + 1 })
      const { items, next } = toPage(found, maxExported, toCsvRow, ({ seq }) => [seq])
      return { csv: toCsv(csvColumns, items), rows: items.length, next }
    },
  }),
  exportRowsOperation,
  defineOperation({
    id: 'showAudit',
    method: 'get',
    path: '/admin/v1/audit/{id}',
    tag: 'Audit',
    summary: 'Show a row of the audit log',
    access: reads('audit'),
    action: 'audit show',
    command: { examples: ['12'] },
    params: { id: rowNumber('Number of the row') },
    data: Row,
    run: async ({ params: { id } }, { database }) => {
      const row = await readAudit(database, id)
      if (row === null) throw notFound('audit row', id)
      return toRow(row)
    },
  }),
]
