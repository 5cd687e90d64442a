/** `postern parked show`: the keys of one parked job; with `--reveal` everything, with what the client wrote. */
import { requireParked } from '../../acts/parked.ts'
import { keysOf } from '../../records/parked/read.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { jobResult } from './view.ts'

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
  return jobResult({
    ...row,
    ...{ keys: keysOf(row.payload), bytes: row.payload.length },
    payload: options.reveal === true ? row.payload.toString() : null,
  })
}
