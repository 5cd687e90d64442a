/** `postern audit export`: rows as they are hashed, one JSON document per line, read page by page. */
import { readAuditAfter, readTail } from '../../audit/queries.ts'
import type { Database } from '../../platform/database.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { writeExport, type ExportPage } from './export-file.ts'

export interface ExportOptions {
  readonly after?: number
}

const pageSize = 2_000

export function exportRows(
  invocation: Invocation,
  path: string,
  { after = 0 }: ExportOptions,
): Promise<Result> {
  return withDatabase(invocation, async (database, _config, audit) => {
    await audit.look({ target: 'audit log', details: { after } }, 'audit')
    return writeExport(path, after, readPages(database, after))
  })
}

/** Up to the row that is the last when it begins. */
async function* readPages(database: Database, after: number): AsyncGenerator<ExportPage, undefined> {
  const last = await readTail(database)
  let from = after
  do {
    const items = (await readAuditAfter(database, from, pageSize)).filter(({ seq }) => seq <= last.seq)
    yield { items, last }
    from = items.at(-1)?.seq ?? last.seq
  } while (from < last.seq)
}
