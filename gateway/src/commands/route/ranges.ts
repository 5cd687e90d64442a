/** `postern route ranges` over the admin API: the whole file in one request, because all ranges are replaced at once. */
import { parseRanges } from '../../acts/ranges.ts'
import { UsageError } from '../errors.ts'
import { readInput } from '../read-input.ts'
import type { AdminClient } from '../client/client.ts'
import type { Result } from '../result.ts'

/** The most that the admin API takes, without room for the reason. */
const maxBytes = 1024 * 1024 - 2_048

export async function importRanges(admin: AdminClient, path: string): Promise<Result> {
  const { content } = await readInput(path)
  const lines = parseRanges(content)
    .map(({ prefix, carrier }) => `${prefix},${carrier}`)
    .join('\n')
  if (JSON.stringify(lines).length > maxBytes)
    throw new UsageError(
      'the ranges have more than 1 MB, which the admin API does not take; run the command where POSTERN_DATABASE_URL is set, without --profile',
    )
  const { ranges } = await admin.call('putRanges', { body: { lines, ...admin.reason } })
  return { json: { ranges }, lines: [`imported ${ranges} number ranges in place of the old ones`] }
}
