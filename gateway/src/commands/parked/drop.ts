/** `postern parked drop`: gives a job up; its message still ends in exactly one outcome. */
import { dropParked } from '../../parked/drop.ts'
import type { Engines } from '../connect-broker.ts'
import { FailedError } from '../errors.ts'
import type { Result } from '../result.ts'
import { requireParked } from './job.ts'

export async function dropParkedJob({ database, broker, topology }: Engines, id: number): Promise<Result> {
  const row = await requireParked(database, id)
  const outcome = await dropParked({ database, publisher: broker.publisher, topology }, row)
  if (!outcome.dropped) throw new FailedError(`${id} is not dropped: ${outcome.reason}`)
  return { json: { id, effect: outcome.effect }, lines: [`${id}: dropped; ${outcome.effect}`] }
}
