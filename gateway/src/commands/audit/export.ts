/** Implements `postern audit export`. */
import { FailedError } from '../errors.ts'
import { whileBusy } from '../client/chunks.ts'
import { pageSize, type AdminClient, type Data } from '../client/client.ts'
import type { Result } from '../result.ts'
import { writeExport } from './export-file.ts'

export interface ExportOptions {
  readonly after?: number
}

export async function exportRows(
  admin: AdminClient,
  path: string,
  { after = 0 }: ExportOptions,
): Promise<Result> {
  const common = { after, limit: pageSize, ...admin.requireReason() }
  return writeExport(path, after, readPages(admin, common))
}

type Page = Data<'exportAuditRows'>

/** A log may have any number of pages: it ends because the rows of each follow those of the page before. */
async function* readPages(
  admin: AdminClient,
  common: { readonly after: number; readonly limit: number; readonly reason: string },
): AsyncGenerator<Page, undefined> {
  let seq = common.after
  let cursor: string | null = null
  do {
    const body = { ...common, ...(cursor === null ? {} : { cursor }) }
    const page: Page = await whileBusy(() => admin.call('exportAuditRows', { body }))
    seq = requireFollowing(page, seq)
    yield page
    cursor = page.next
  } while (cursor !== null)
}

/** Returns the last row of the page. */
function requireFollowing({ items, next }: Page, after: number): number {
  let last = after
  for (const { seq } of items) {
    if (seq <= last) throw notFollowing(`row ${seq} after row ${last}`)
    last = seq
  }
  if (last === after && next !== null) throw notFollowing(`no row after row ${last}, and that more follow`)
  return last
}

function notFollowing(answered: string): FailedError {
  return new FailedError(
    `the admin API answered ${answered}; check that its version is that of this command, and see its log`,
  )
}
