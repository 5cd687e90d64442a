/** `postern route explain`: which route a message would take now, and why, route by route. Sends nothing. */
import { loadAccounts } from '../../accounts/queries.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { routeOfShare } from '../../jobs/route-share.ts'
import { compileRoutes } from '../../routes/compile.ts'
import { explainRoute } from '../../routes/explain.ts'
import { loadRouteRules } from '../../routes/queries.ts'
import { loadRanges } from '../../routes/ranges.ts'
import { readHealth } from '../../routes/read-health.ts'
import { noSuchAccount } from '../account/view.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'
import { clock } from '../../platform/clock.ts'

export interface ExplainOptions {
  readonly account: string
  readonly channel: ChannelName
  readonly to: string
  readonly msgKey?: string
}

export function explainMessageRoute(
  invocation: Invocation,
  { account: clientId, channel, to, ...given }: ExplainOptions,
): Promise<Result> {
  // Without a key, one that the next message might have: among routes of equal priority the key decides.
  const msgKey = given.msgKey ?? createMsgKey('00', clock.date())
  return withDatabase(invocation, async (database) => {
    const account = (await loadAccounts(database)).find((candidate) => candidate.clientId === clientId)
    if (account === undefined) throw noSuchAccount(clientId)
    const routes = await loadRouteRules(database)
    const explanations = explainRoute(
      compileRoutes(routes, await loadRanges(database)),
      { channel, to, msgKey, accountId: account.id },
      await readHealth(database, routes),
    ).map(({ route, decision, reason }) => ({ id: route.id, decision, reason }))
    const taken = explanations.find(({ decision }) => decision === 'taken')?.id
    const lines = table(explanations.map(({ id, decision, reason }) => [id, decision, reason]))
    if (taken === undefined)
      lines.push('No route serves this message: it would fail with 90000. Add one with `postern route put`.')
    return {
      json: {
        account: clientId,
        channel,
        to,
        msgKey,
        route: taken === undefined ? null : routeOfShare(taken),
        routes: explanations,
      },
      lines,
    }
  })
}
