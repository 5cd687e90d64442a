import { Type, type Static, type TObject } from 'typebox'
import { notFound } from '../errors.ts'
import type { AuditRow } from '../../identity/audit/entry.ts'
import { listAudit, readAudit, type AuditFilter } from '../../identity/audit/queries.ts'
import { toCsv } from '../../records/usage/csv.ts'
import { verifyOnce } from './verification.ts'
import { readCursor, toPage } from '../cursor.ts'
import { clientId, flag, nullable, page, pageQuery, record, rowNumber, text, time, whole } from '../fields.ts'
import { defineOperation, personalDataAccess, readAccess } from '../operation.ts'
import { wrongField } from '../errors.ts'
import { rowFields } from './fields.ts'
import { exportRowsOperation } from './rows.ts'

const Row = record(rowFields, 'A row of the audit log', { title: 'AuditRow' })

const filters = {
  account: Type.Optional(clientId),
  actor: Type.Optional(text('Name of the actor', { minLength: 1, maxLength: 200 })),
  action: Type.Optional(
    text('An action, or its first words such as `account`', { minLength: 1, maxLength: 100 }),
  ),
  result: Type.Optional(rowFields.result),
  target: Type.Optional(text('Object of the action, exact match', { minLength: 1, maxLength: 500 })),
  requestId: Type.Optional(text('ID of a command or request', { minLength: 1, maxLength: 200 })),
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

/** Throws for times that the schema allows but `Date` cannot parse, such as a leap second, and for years before 1970. */
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
/** Limits a response to some megabytes: the details of a row have up to 16 KB. */
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
    summary: 'List the audit log, newest first',
    access: readAccess('audit'),
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
    query: { ...pageQuery, ...filters, before: Type.Optional(rowNumber('Only rows before this one')) },
    data: page(Row, 'Rows'),
    run: async ({ query: { limit, cursor, before, ...given } }, { database }) => {
      const filter = toFilter(given, cursor)
      const rows = await listAudit(database, { ...filter, before: filter.before ?? before, limit: limit + 1 })
      return toPage(rows, limit, toRow, ({ seq }) => [seq])
    },
  }),
  defineOperation({
    id: 'verifyAudit',
    method: 'get',
    path: '/admin/v1/audit/verification',
    tag: 'Audit',
    summary: 'Verify that no row of the audit log was changed, removed or moved',
    description:
      'Verifies the newest 5,000 rows, or with `all` the chain from the first row, which takes seconds for a long log. Rows removed from the end together with the tail are only detected with a checkpoint stored elsewhere, on the command line.',
    access: readAccess('audit'),
    action: 'audit verify',
    query: { all: Type.Optional(flag('Verify every row')) },
    data: record(
      {
        verifiedAt: time('Start of the verification; results are cached for ten seconds'),
        rows: whole('Verified rows'),
        all: flag('Whether all rows were verified'),
        last: record({ seq: whole('Number of the row'), hash: text('Hash of the row') }, 'The last row'),
        broken: nullable(text('The first problem, with the number of the row; null if there is none')),
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
    summary: 'Export rows of the audit log as CSV, newest first; the export is recorded',
    description: `At most ${maxExported} rows; \`next\` is the cursor of earlier rows. Text that a spreadsheet would interpret as a formula is prefixed with an apostrophe.`,
    access: personalDataAccess('audit', 'required'),
    action: 'audit export',
    body: { ...filters, cursor: pageQuery.cursor },
    data: record(
      {
        csv: text('The rows; the first line has the column names'),
        rows: whole('Number of rows'),
        next: nullable(text('Cursor of the next part; null at the end')),
      },
      'A part of the export',
    ),
    run: async ({ body: { cursor, ...given } }, { database, audit }) => {
      const filter = toFilter(given, cursor)
      const { before = null } = filter
      await audit.recordAccess({ target: 'audit log', details: { ...given, before } }, 'audit')
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
    access: readAccess('audit'),
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
