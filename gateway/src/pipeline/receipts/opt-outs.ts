/**
 * Replies of recipients: those that opt out of advertisements, or take that back, are durable in the broker before the carrier is
 * answered; others are dropped. An opt-out concerns the accounts that its sender is registered for; where there is none, those
 * that the route is for, or all. Called for requests of carriers; needs PostgreSQL once, for the key of the hashes.
 */
import { isInternationalRecipient, isRecipient } from '../../channels/numbers.ts'
import type { Reply } from '../../connectors/reply.ts'
import type { OptOutJob } from '../../jobs/jobs.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import { clock } from '../../platform/clock.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import type { Route } from '../../routes/route.ts'
import type { Trust } from '../../trust/policy.ts'
import { keyOf } from '../../trust/suppression/choice-index.ts'
import { everyAccount, type ReadKeyword } from '../../trust/suppression/choice.ts'

/** Rejects when it is not durable. */
export type ReplySink = (route: Pick<Route, 'id' | 'accounts'>, reply: Reply) => Promise<void>

export interface ReplySinkContext {
  readonly publisher: GroupPublisher
  readonly topology: Pick<Topology, 'optOuts'>
  readonly trust: Pick<Trust, 'accountsOf'>
  readonly readKeyword: ReadKeyword
  readonly openBlindIndex: () => Promise<BlindIndex>
}

export function createReplySink(context: ReplySinkContext): ReplySink {
  const { publisher, topology, trust, readKeyword, openBlindIndex } = context

  function accountsOf(route: Pick<Route, 'accounts'>, { to }: Reply): readonly number[] {
    const registered = new Set(to.flatMap(({ kind, value }) => trust.accountsOf(kind, value)))
    if (registered.size > 0) return [...registered]
    return route.accounts.length > 0 ? route.accounts : [everyAccount]
  }

  return async (route, reply) => {
    const state = meaningOf(reply, readKeyword)
    const { from } = reply
    if (state === null || !(isRecipient(from) || isInternationalRecipient(from))) return
    const blindIndex = await openBlindIndex()
    const job: OptOutJob = {
      ...{ v: 1, kind: 'opt-out', routeId: route.id, state, at: clock.now() },
      source: reply.choice === undefined ? 'reply' : 'carrier',
      choices: accountsOf(route, reply).map((accountId) => ({
        accountId,
        recipient: keyOf(blindIndex, accountId, from).toString('base64'),
      })),
    }
    await publisher.send(topology.optOuts, JSON.stringify(job))
  }
}

function meaningOf({ text, choice }: Reply, readKeyword: ReadKeyword): 'suppressed' | 'none' | null {
  if (choice !== undefined) return choice === 'opt-out' ? 'suppressed' : 'none'
  return text === null ? null : readKeyword(text)
}
