/**
 * Stores replies of recipients before the carrier gets a response: a text is committed in PostgreSQL for its
 * account, and the broker also confirms an opt-out. A text belongs to the one account that may use its
 * number, chatbot or brand; else to the one account of the route; else to none until that can be decided.
 */
import { createHash } from 'node:crypto'
import { getReplyService } from '../../carriers/connectors/registry.ts'
import type { Reply, ReplyPart } from '../../carriers/connectors/reply.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { clock } from '../../platform/time/clock.ts'
import { inTransaction, type Database } from '../../platform/database/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { insertReply } from '../../records/replies/queries.ts'
import { noAccount, type ReplyContent } from '../../records/replies/reply.ts'
import { storeReplyPart } from '../../records/replies/series.ts'
import type { Route } from '../../carriers/routes/route.ts'
import type { Trust } from '../../trust/policy.ts'
import type { ReadKeyword } from '../../trust/suppression/choice.ts'
import { detectChoice, createOptOutPublisher, type OptOutChoice, type OptOutContext } from './opt-outs.ts'

/**
 * Function that receives a reply; `login` is the digest of the route's login, to which the parts and ids of a carrier
 * belong. Rejects if the reply is not durable, so that the carrier sends it again.
 */
export type ReplySink = (
  route: Pick<Route, 'id' | 'accounts' | 'protocol'>,
  reply: Reply,
  login?: string,
) => Promise<void>

export interface ReplySinkContext extends OptOutContext {
  readonly database: Database
  readonly trust: Pick<Trust, 'findSenderAccounts' | 'findHolders'>
  readonly cell: string
  readonly readKeyword: ReadKeyword
  readonly metrics: Pick<Metrics, 'replies'>
  /** Derives the stored key of a reply from the digest of the carrier's id, for replies that no carrier has sent. */
  readonly toCarrierKey?: (digest: Buffer) => Buffer
}

export const carrierKeyBytes = 16

export function createReplySink(context: ReplySinkContext): ReplySink {
  const { database, cell, trust, readKeyword, openBlindIndex, metrics } = context
  const { toCarrierKey = (digest) => digest } = context
  const publishOptOut = createOptOutPublisher(context)

  async function store(
    route: Parameters<ReplySink>[0],
    reply: Reply & { readonly text: string },
    choice: OptOutChoice | null,
    login: string,
  ): Promise<void> {
    const now = clock.date()
    const blindIndex = await openBlindIndex()
    const { part, id } = reply
    const stored = {
      replyKey: createMsgKey(cell, now),
      accountId: findReplyOwner(trust, route, reply.to, now),
      routeId: route.id,
      serviceType: getReplyService(route.protocol),
      content: { from: reply.from, ...toAddress(reply), text: reply.text },
      fromIndex: blindIndex.of(reply.from),
      sentAt: reply.at ?? now,
    }
    if (part === undefined) {
      const carrierKey = id === undefined ? null : toCarrierKey(computeDigest(`${login}/${id}`))
      const whole = { ...stored, parts: 1, missing: 0, choice, carrierKey }
      await insertReply(database, whole)
      const result = stored.accountId === noAccount ? 'unassigned' : 'assigned'
      return metrics.replies.inc({ route: route.id, result })
    }
    const series = blindIndex.of(getSeriesName(login, stored.content, part))
    const added = { ...stored, series, part: part.part, parts: part.parts }
    await inTransaction(database, (transaction) => storeReplyPart(transaction, added))
    metrics.replies.inc({ route: route.id, result: 'part' })
  }

  return async (route, reply, login = route.id) => {
    const choice = detectChoice(reply, readKeyword)
    const { text } = reply
    await Promise.all([
      choice === null ? undefined : publishOptOut(route, reply, choice),
      // A reply without a text is an event or a file.
      text === null ? undefined : store(route, { ...reply, text }, choice, login),
    ])
  }
}

/**
 * Returns one account or none: a text that may be meant for another account is shown to no account.
 * `storedAt` is set for a stored reply, because an account that registers a number later does not get earlier
 * replies.
 */
export function findReplyOwner(
  trust: Pick<Trust, 'findHolders'>,
  { accounts }: Pick<Route, 'accounts'>,
  to: Reply['to'],
  now: Date,
  storedAt?: Date,
): number {
  const holders = to.flatMap(({ kind, value }) =>
    trust.findHolders(kind, value, now.getTime(), storedAt?.getTime()),
  )
  const registered = [...new Set(holders)]
  const served = accounts.length === 0 ? registered : registered.filter((id) => accounts.includes(id))
  const candidates = registered.length > 0 ? served : accounts
  return candidates.length === 1 ? candidates[0]! : noAccount
}

function toAddress({ to: [first] }: Reply): Pick<ReplyContent, 'to' | 'kind'> {
  return { to: first?.value ?? '', kind: first?.kind ?? 'number' }
}

function computeDigest(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, carrierKeyBytes)
}

function getSeriesName(
  login: string,
  { from, to }: ReplyContent,
  { bits, reference, parts }: ReplyPart,
): string {
  return ['reply', login, from, to, bits, reference, parts].join('/')
}
