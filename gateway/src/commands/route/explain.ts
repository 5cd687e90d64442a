/** `postern route explain`: which route a message would take now, and why, route by route. Sends nothing. */
import { explainFor, type ExplainRequest } from '../../acts/routes.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { explainedResult } from './view.ts'

export type ExplainOptions = ExplainRequest

export function explainMessageRoute(invocation: Invocation, options: ExplainOptions): Promise<Result> {
  return withDatabase(invocation, async (database) =>
    explainedResult(options, await explainFor(database, options)),
  )
}
