/** `postern route explain`: which route a message would take now, and why, route by route. Sends nothing. */
import { explainFor, type ExplainRequest } from '../../acts/routes.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

export type ExplainOptions = ExplainRequest

export function explainMessageRoute(invocation: Invocation, options: ExplainOptions): Promise<Result> {
  const { account, channel, to } = options
  return withDatabase(invocation, async (database) => {
    const { msgKey, route, routes } = await explainFor(database, options)
    const lines = table(routes.map(({ id, decision, reason }) => [id, decision, reason]))
    if (route === null)
      lines.push('No route serves this message: it would fail with 90000. Add one with `postern route put`.')
    return { json: { account, channel, to, msgKey, route, routes }, lines }
  })
}
