/** `postern parked show`: the keys of one parked job; with `--reveal` everything, with what the client wrote. */
import { requireParked } from '../../acts/parked.ts'
import { keysOf } from '../../records/parked/read.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { jobJson, jobLine } from './job.ts'

export async function showParkedJob(
  invocation: Invocation,
  id: number,
  options: { readonly reveal?: boolean },
): Promise<Result> {
  const row = await withDatabase(invocation, async (database, _config, audit) => {
    const found = await requireParked(database, id)
    if (options.reveal === true)
      await audit.look({ target: `parked job ${id}`, details: { msgKey: found.msgKey } })
    return found
  })
  const keys = keysOf(row.payload)
  const bytes = row.payload.length
  const payload = options.reveal === true ? row.payload.toString() : null
  return {
    json: { ...jobJson(row), keys, bytes, payload },
    lines: [
      jobLine(row),
      ...Object.entries(keys).map(([name, value]) => `${name.padEnd(10)}  ${value}`),
      payload ?? `${bytes} bytes; --reveal prints them, with what the client wrote`,
    ],
  }
}
