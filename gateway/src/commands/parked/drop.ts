/** `postern parked drop`: gives a job up; its message still ends in exactly one outcome. */
import { dropJob } from '../../acts/parked.ts'
import type { Engines } from '../connect-broker.ts'
import type { Result } from '../result.ts'

export async function dropParkedJob(engines: Engines, id: number): Promise<Result> {
  const effect = await dropJob(engines, id)
  return { json: { id, effect }, lines: [`${id}: dropped; ${effect}`] }
}
