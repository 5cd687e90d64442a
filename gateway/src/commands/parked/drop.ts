/** `postern parked drop`: gives a job up; its message still ends in exactly one outcome. */
import { dropJob } from '../../acts/parked.ts'
import type { Engines } from '../connect-broker.ts'
import type { Result } from '../result.ts'
import { droppedResult } from './view.ts'

export async function dropParkedJob(engines: Engines, id: number): Promise<Result> {
  return droppedResult(id, await dropJob(engines, id))
}
