/**
 * Sends replies of sandbox recipients. They are processed like replies delivered by a carrier: stored, pushed
 * to webhooks, and applied if they opt out. They concern only the account of the message: no person wrote
 * them, so they must not opt a person out of messages of other accounts. They are stored with a mark that
 * distinguishes them from real replies.
 */
import { randomUUID } from 'node:crypto'
import { channels } from '../../channels/registry.ts'
import type { Step } from '../../channels/channel.ts'
import { toReplyAddress, type Reply, type ReplyAddress } from '../../carriers/connectors/reply.ts'
import { idPrefix, testerReplyKey } from '../../carriers/connectors/sandbox/marks.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { detectChoice, type OptOutChoice } from '../../pipeline/receipts/opt-outs.ts'
import { carrierKeyBytes, createReplySink, findReplyOwner } from '../../pipeline/receipts/reply-sink.ts'
import { withContents, type StoredContent } from '../../records/replies/content.ts'
import type { Route } from '../../carriers/routes/route.ts'
import { SenderIndex } from '../../trust/senders/sender-index.ts'
import { readSendersByValue } from '../../trust/senders/queries.ts'
import type { Trust } from '../../trust/policy.ts'
import { createKeywordReader } from '../../trust/suppression/choice.ts'
import { OperationError } from '../errors.ts'
import type { AdminServices } from '../services.ts'

/**
 * Returns the sender addresses that a reply to the step goes to. Throws for a message that does not accept
 * replies.
 */
export function findReplyAddresses(step: Step): ReplyAddress[] {
  const value = channels[step.channel].sender(step)
  if (step.channel === 'rcs') {
    const { brandKey, brandId } = step.content as Readonly<Record<string, string | undefined>>
    const brands = [brandKey, brandId].flatMap((brand) => (brand ? [brand] : []))
    return [
      { kind: 'chatbot', value },
      ...brands.map((brand): ReplyAddress => ({ kind: 'brand', value: brand })),
    ]
  }
  if (value !== '') return [toReplyAddress(value)]
  throw new OperationError(
    'refused',
    'replies to a Kakao message go to the chat of its channel, which no carrier delivers to this gateway; reply to an SMS, MMS or RCS message',
  )
}

/** Returns the advertising choice in the text, by the keywords of this installation. */
export function readAdvertisingChoice(
  { config }: Pick<AdminServices, 'config'>,
  reply: Reply,
): OptOutChoice | null {
  return detectChoice(reply, createKeywordReader(config))
}

export interface ReplyResult {
  /** Whether the same text would reach the account if a carrier delivered it. */
  readonly reachesByCarrier: boolean
}

type Senders = Pick<Trust, 'findSenderAccounts' | 'findHolders'>

/** Delivers the reply to the account. */
export async function sendReply(
  services: AdminServices,
  route: Pick<Route, 'id' | 'accounts' | 'protocol'>,
  accountId: number,
  reply: Reply,
): Promise<ReplyResult> {
  const { broker, topology, writes, encryption, config, metrics } = services
  const values = reply.to.map(({ value }) => value)
  const senders = new SenderIndex()
  senders.replace(await readSendersByValue(writes, values))
  const sink = createReplySink({
    publisher: broker.publisher,
    topology,
    metrics,
    cell: config.cell,
    trust: restrictSenders(accountId, senders),
    database: writes,
    readKeyword: createKeywordReader(config),
    openBlindIndex: () => encryption.blindIndex(writes),
    toCarrierKey: testerReplyKey,
  })
  // With only this account on the route, the reply can concern no other account.
  await sink({ ...route, accounts: [accountId] }, { ...reply, id: randomUUID() })
  return { reachesByCarrier: findReplyOwner(senders, route, reply.to, clock.date()) === accountId }
}

/** Restricts the senders to one account. */
function restrictSenders(accountId: number, senders: Senders): Senders {
  const isOwn = (id: number): boolean => id === accountId
  return {
    findSenderAccounts: (...sender) => senders.findSenderAccounts(...sender).filter(isOwn),
    findHolders: (...sender) => senders.findHolders(...sender).filter(isOwn),
  }
}

export interface SentReply {
  readonly replyKey: string
  readonly account: string | null
  readonly to: string
  readonly text: string
  readonly choice: OptOutChoice | null
  readonly at: Date
}

/**
 * SQL condition: the reply with alias `r` was created by a tester. It is needed because a route can have
 * delivered real replies before it became a sandbox route.
 */
const isInvented = `octet_length(r.carrier_key) = ${idPrefix.length + carrierKeyBytes}
        and substring(r.carrier_key from 1 for ${idPrefix.length}) = convert_to('${idPrefix}', 'UTF8')`

/** Returns the replies, newest first, without those whose content can no longer be read. */
export async function readReplies(
  database: Queryable,
  routeIds: readonly string[],
  fromIndex: Buffer,
  limit: number,
): Promise<SentReply[]> {
  const { rows } = await database.query<Omit<SentReply, 'to' | 'text'> & StoredContent>(
    `select r.reply_key as "replyKey", c.client_id as account, r.content, r.sealed, r.choice, r.sent_at as at
       from replies r left join accounts c on c.id = r.account_id
      where r.from_index = $1 and r.route_id = any ($2) and ${isInvented} order by r.created_at desc, r.reply_key desc limit $3`,
    [fromIndex, routeIds, limit],
  )
  return (await withContents(rows)).flatMap(({ content, ...row }) =>
    content === null ? [] : [{ ...row, to: content.to, text: content.text }],
  )
}
