/**
 * Implements `postern route ranges import`: sends the whole file in one request, because all ranges are
 * replaced together.
 */
import { parseRanges } from '../../operations/routes/ranges.ts'
import { UsageError } from '../errors.ts'
import { readInput } from '../read-input.ts'
import type { AdminClient } from '../client/client.ts'
import type { Result } from '../result.ts'

/** Maximum size that the admin API accepts, minus room for the reason. */
const maxBytes = 1024 * 1024 - 2_048

export async function importRanges(admin: AdminClient, path: string): Promise<Result> {
  const { content } = await readInput(path)
  const lines = parseRanges(content)
    .map(({ prefix, carrier }) => `${prefix},${carrier}`)
    .join('\n')
  if (admin.url !== null && JSON.stringify(lines).length > maxBytes)
    throw new UsageError(
      'the file exceeds 1 MB, the limit of the admin API; run the command where POSTERN_DATABASE_URL is set, without --profile',
    )
  const { ranges } = await admin.call('putRanges', { body: { lines, ...admin.reason } })
  return { json: { ranges }, lines: [`replaced all number ranges: ${ranges} imported`] }
}
