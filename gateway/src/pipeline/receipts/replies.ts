import { clock } from '../../platform/time/clock.ts'
import { inTransaction, type Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import { every, everyHour, type Periodic } from '../../platform/time/periodic.ts'
import { assignReply, readUnassigned, removeOldReplies } from '../../records/replies/queries.ts'
import { noAccount } from '../../records/replies/reply.ts'
import { closeIncomplete, partsWaitMs, removeClosedSeries } from '../../records/replies/series.ts'
import type { Route } from '../../carriers/routes/route.ts'
import type { Trust } from '../../trust/policy.ts'
import { findReplyOwner } from './reply-sink.ts'

export interface RepliesContext {
  readonly database: Database
  readonly trust: Pick<Trust, 'findHolders'>
  readonly routes: { readonly value: readonly Pick<Route, 'id' | 'accounts'>[] }
  readonly retentionDays: number
  readonly log: Log
}

/**
 * Maximum replies that a round reads; the next round continues after them. Few are read at a time, because
 * each may have 60 kB.
 */
const maxUnassigned = 1_000
const pageSize = 100

/**
 * Starts the periodic work on replies: stores those whose parts have not all arrived as incomplete, assigns those without an
 * account once exactly one account qualifies, and deletes those past retention. Every worker runs it and skips rows that
 * another has locked.
 */
export function startReplies(context: RepliesContext): Periodic {
  const { database, log, retentionDays } = context
  let position = 0
  const rounds = [
    every(5_000, 'storing incomplete replies', log, () => closeIncompleteReplies(database)),
    every(30_000, 'assigning replies', log, async () => {
      position = await assignReplies(context, position)
    }),
    everyHour(clock, 'removing old replies', log, async () => {
      if (!clock.agrees) return
      await removeClosedSeries(database)
      while ((await removeOldReplies(database, clock.date(), retentionDays)) > 0);
    }),
  ]
  return {
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()))
    },
  }
}

export async function closeIncompleteReplies(database: Database, waitMs = partsWaitMs): Promise<void> {
  while ((await inTransaction(database, (transaction) => closeIncomplete(transaction, waitMs))) > 0);
}

/**
 * Assigns by the rules for a new reply, with registrations that were active when the reply was stored and still are.
 * Returns the position at which the next call continues; 0 begins again.
 */
export async function assignReplies(
  { database, trust, routes }: Pick<RepliesContext, 'database' | 'trust' | 'routes'>,
  position = 0,
): Promise<number> {
  let after = position
  for (let read = 0; read < maxUnassigned; read += pageSize) {
    const unassigned = await readUnassigned(database, after, pageSize)
    for (const { replyKey, routeId, content, createdAt } of unassigned) {
      if (content === null) continue
      const { accounts } = routes.value.find(({ id }) => id === routeId) ?? { accounts: [] }
      const to = [{ kind: content.kind, value: content.to }]
      const accountId = findReplyOwner(trust, { accounts }, to, clock.date(), createdAt)
      if (accountId === noAccount) continue
      await assignReply(database, replyKey, accountId)
    }
    if (unassigned.length < pageSize) return 0
    after = unassigned.at(-1)!.seq
  }
  return after
}
