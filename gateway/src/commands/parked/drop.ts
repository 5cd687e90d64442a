/** `postern parked drop`: gives a job up; its message still ends in exactly one outcome. */
import { dropParked } from '../../parked/drop.ts'
import type { Engines } from '../connect-broker.ts'
import { FailedError } from '../errors.ts'
import type { Result } from '../result.ts'
import { requireParked } from './job.ts'

export async function dropParkedJob(
  { database, broker, topology, audit }: Engines,
  id: number,
): Promise<Result> {
  const row = await requireParked(database, id)
  const { stage, msgKey } = row
  const subject = { target: `parked job ${id}`, details: { stage, msgKey } }
  const outcome = await audit.around(subject, async () => {
    const dropped = await dropParked({ database, publisher: broker.publisher, topology }, row)
    if (!dropped.dropped) throw new FailedError(`${id} is not dropped: ${dropped.reason}`)
    return dropped
  })
  return { json: { id, effect: outcome.effect }, lines: [`${id}: dropped; ${outcome.effect}`] }
}
