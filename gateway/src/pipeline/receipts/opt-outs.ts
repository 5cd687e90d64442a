/**
 * Replies that opt out of advertisements, or in again. They are durable in the broker before the carrier gets
 * a response, and are then moved to the lists of recipients. An opt-out concerns the accounts that have
 * registered the sender to which the recipient replied; if there is none, the accounts of the route, or all.
 */
import { isInternationalRecipient, isRecipient } from '../../channels/numbers.ts'
import type { Reply } from '../../carriers/connectors/reply.ts'
import type { OptOutJob } from '../../jobs/jobs.ts'
import type { Topology } from '../../jobs/queues.ts'
import { readOptOutJob } from '../../jobs/read.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { parkJob } from '../../records/parked/park.ts'
import type { Route } from '../../carriers/routes/route.ts'
import type { Trust } from '../../trust/policy.ts'
import { toRecipientKey, setCarrierChoices } from '../../trust/suppression/store.ts'
import { allAccountsId, type ReadKeyword } from '../../trust/suppression/choice.ts'

export type OptOutChoice = 'opt-out' | 'opt-in'

export interface OptOutContext {
  readonly publisher: GroupPublisher
  readonly topology: Pick<Topology, 'optOuts'>
  readonly trust: Pick<Trust, 'findSenderAccounts'>
  readonly openBlindIndex: () => Promise<BlindIndex>
}

/**
 * Returns a function that rejects if the opt-out is not durable. Needs PostgreSQL once, for the key of the
 * hashes.
 */
export function createOptOutPublisher(
  context: OptOutContext,
): (route: Pick<Route, 'id' | 'accounts'>, reply: Reply, choice: OptOutChoice) => Promise<void> {
  const { publisher, topology, trust, openBlindIndex } = context

  function findAccounts(route: Pick<Route, 'accounts'>, { to }: Reply): readonly number[] {
    const registered = new Set(to.flatMap(({ kind, value }) => trust.findSenderAccounts(kind, value)))
    if (registered.size > 0) return [...registered]
    return route.accounts.length > 0 ? route.accounts : [allAccountsId]
  }

  return async (route, reply, choice) => {
    const { from } = reply
    if (!(isRecipient(from) || isInternationalRecipient(from))) return
    const blindIndex = await openBlindIndex()
    const job: OptOutJob = {
      v: 1,
      kind: 'opt-out',
      routeId: route.id,
      at: clock.now(),
      state: choice === 'opt-out' ? 'suppressed' : 'none',
      source: reply.choice === undefined ? 'reply' : 'carrier',
      choices: findAccounts(route, reply).map((accountId) => ({
        accountId,
        recipient: toRecipientKey(blindIndex, accountId, from).toString('base64'),
      })),
    }
    await publisher.send(topology.optOuts, JSON.stringify(job))
  }
}

/**
 * Returns the choice that the carrier reports, or that is the whole text. A part of a longer text is no
 * choice.
 */
export function detectChoice({ text, choice, part }: Reply, readKeyword: ReadKeyword): OptOutChoice | null {
  if (choice !== undefined) return choice
  const state = text === null || part !== undefined ? null : readKeyword(text)
  return state === null ? null : state === 'suppressed' ? 'opt-out' : 'opt-in'
}

export interface StoreOptOutsContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly metrics: Pick<Metrics, 'parked'>
  readonly log: Log
}

/**
 * Stores the opt-outs from the broker. A job is acknowledged when it is stored; while PostgreSQL is
 * unavailable it stays in its queue. A job that arrives twice, or after a later choice, changes nothing. One
 * that cannot be read is parked.
 */
export function startStoringOptOuts(context: StoreOptOutsContext): Consumption {
  const { broker, topology, database } = context
  async function store({ routeId, choices, state, source, at }: OptOutJob): Promise<void> {
    const change = {
      state,
      source,
      reason: `over route ${routeId}`,
      since: new Date(at),
      onlyOlder: true,
    } as const
    const recipients = choices.map(({ accountId, recipient }) => ({
      accountId,
      recipient: Buffer.from(recipient, 'base64'),
    }))
    await setCarrierChoices(database, recipients, change)
  }
  // Store them one after the other, because a recipient may opt out and in again.
  return broker.consume(topology.optOuts, { prefetch: 1 }, async ({ jobs }) => {
    for (const candidate of jobs) {
      const read = readOptOutJob(candidate)
      if (read.ok) await store(read.job)
      else await parkJob(context, 'opt-outs', candidate, read.reason)
    }
  })
}
