/** Implements `postern audit export`. */
import { FailedError } from '../errors.ts'
import { retryWhileBusy } from '../client/chunks.ts'
import { pageSize, type AdminClient, type ResponseData } from '../client/client.ts'
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

type Page = ResponseData<'exportAuditRows'>

/**
 * Reads pages until the last one. The log can have any number of pages; the check that each page continues
 * the previous one ensures that the loop ends.
 */
async function* readPages(
  admin: AdminClient,
  common: { readonly after: number; readonly limit: number; readonly reason: string },
): AsyncGenerator<Page, undefined> {
  let seq = common.after
  let cursor: string | null = null
  do {
    const body = { ...common, ...(cursor === null ? {} : { cursor }) }
    const page: Page = await retryWhileBusy(() => admin.call('exportAuditRows', { body }))
    seq = requireFollowing(page, seq)
    yield page
    cursor = page.next
  } while (cursor !== null)
}

/** Returns the number of the last row of the page. Throws if a row does not follow the previous one. */
function requireFollowing({ items, next }: Page, after: number): number {
  let last = after
  for (const { seq } of items) {
    if (seq <= last) throw gapError(`row ${seq} after row ${last}`)
    last = seq
  }
  if (last === after && next !== null) throw gapError(`no row after row ${last}, although more pages follow`)
  return last
}

function gapError(returned: string): FailedError {
  return new FailedError(
    `the admin API returned ${returned}; check that its version matches this command, and see its log`,
  )
}
