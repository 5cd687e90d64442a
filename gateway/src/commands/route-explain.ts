/** `postern route explain`: where a message would go now and why, route by route. Nothing is sent. */
import { parseArgs } from 'node:util'
import { loadAccounts } from '../accounts/queries.ts'
import type { ChannelName } from '../channels/channel.ts'
import { isInternationalRecipient, isRecipient } from '../channels/numbers.ts'
import type { Queryable } from '../platform/database.ts'
import { createMsgKey } from '../contract/msg-key.ts'
import { compileRoutes } from '../routes/compile.ts'
import { explainRoute } from '../routes/explain.ts'
import { loadRoutes } from '../routes/queries.ts'
import { loadRanges } from '../routes/ranges.ts'
import { readHealth } from '../routes/route-health.ts'
import { UsageError } from './command.ts'
import { print, withDatabase } from './connect.ts'
import { grid } from './route-grid.ts'
import { channelName } from './route-values.ts'

interface Question {
  readonly clientId: string
  readonly channel: ChannelName
  readonly to: string
  readonly msgKey: string
}

export async function explain(args: string[]): Promise<void> {
  const question = readQuestion(args)
  for (const line of await withDatabase((database) => answer(database, question))) print(line)
}

export function readQuestion(args: string[]): Question {
  const { values } = parseArgs({
    args,
    options: {
      account: { type: 'string' },
      channel: { type: 'string' },
      to: { type: 'string' },
      'msg-key': { type: 'string' },
    },
  })
  const { account: clientId, channel, to } = values
  if (clientId === undefined || channel === undefined || to === undefined)
    throw new UsageError('--account, --channel and --to are wanted')
  if (!isRecipient(to) && !isInternationalRecipient(to))
    throw new UsageError(`--to wants a number like 01012345678 or +819012345678, not '${to}'`)
  // Without a key, one that might be the next message's: among equals it may fall on any.
  const msgKey = values['msg-key'] ?? createMsgKey('00', new Date())
  return { clientId, channel: channelName(channel), to, msgKey }
}

export async function answer(database: Queryable, { clientId, ...question }: Question): Promise<string[]> {
  const account = (await loadAccounts(database)).find((candidate) => candidate.clientId === clientId)
  if (account === undefined)
    throw new UsageError(`there is no account '${clientId}'; \`postern account list\` shows them`)
  const routes = await loadRoutes(database)
  const told = explainRoute(
    compileRoutes(routes, await loadRanges(database)),
    { ...question, accountId: account.id },
    await readHealth(database, routes),
  )
  const lines = grid(told.map(({ route, verdict, why }) => [route.id, verdict, why]))
  if (told.some(({ verdict }) => verdict === 'taken')) return lines
  return [
    ...lines,
    'No route serves this message: it would fail with 90000. Add one with `postern route put`.',
  ]
}
