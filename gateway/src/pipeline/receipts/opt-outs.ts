/**
 * Replies that opt out of advertisements, or take that back, are durable in the broker before the carrier is answered. An
 * opt-out concerns the accounts that its sender is registered for; where there is none, those that the route is for, or all.
 * Called by `reply-sink.ts`; needs PostgreSQL once, for the key of the hashes.
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

export type Choice = 'opt-out' | 'opt-in'

export interface OptOutContext {
  readonly publisher: GroupPublisher
  readonly topology: Pick<Topology, 'optOuts'>
  readonly trust: Pick<Trust, 'accountsOf'>
  readonly openBlindIndex: () => Promise<BlindIndex>
}

/** Rejects when it is not durable. */
export function createOptOutPublisher(
  context: OptOutContext,
): (route: Pick<Route, 'id' | 'accounts'>, reply: Reply, choice: Choice) => Promise<void> {
  const { publisher, topology, trust, openBlindIndex } = context

  function accountsOf(route: Pick<Route, 'accounts'>, { to }: Reply): readonly number[] {
    const registered = new Set(to.flatMap(({ kind, value }) => trust.accountsOf(kind, value)))
    if (registered.size > 0) return [...registered]
    return route.accounts.length > 0 ? route.accounts : [everyAccount]
  }

  return async (route, reply, choice) => {
    const { from } = reply
    if (!(isRecipient(from) || isInternationalRecipient(from))) return
    const blindIndex = await openBlindIndex()
    const job: OptOutJob = {
      ...{ v: 1, kind: 'opt-out', routeId: route.id, at: clock.now() },
      state: choice === 'opt-out' ? 'suppressed' : 'none',
      source: reply.choice === undefined ? 'reply' : 'carrier',
      choices: accountsOf(route, reply).map((accountId) => ({
        accountId,
        recipient: keyOf(blindIndex, accountId, from).toString('base64'),
      })),
    }
    await publisher.send(topology.optOuts, JSON.stringify(job))
  }
}

/** What the carrier says, or the text as a whole. A part of a longer text is no such word. */
export function choiceOf({ text, choice, part }: Reply, readKeyword: ReadKeyword): Choice | null {
  if (choice !== undefined) return choice
  const state = text === null || part !== undefined ? null : readKeyword(text)
  return state === null ? null : state === 'suppressed' ? 'opt-out' : 'opt-in'
}
