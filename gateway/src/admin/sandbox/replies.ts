/**
 * What a recipient of the sandbox writes back. It takes the way of a reply that a carrier delivers: stored, pushed to webhooks, and obeyed
 * when it opts out. It concerns the account of the message that is answered and no other: nobody has written it, so it must not opt a person
 * out of what other accounts send. It is stored with a mark, so that it can be told from what people wrote.
 */
import { randomUUID } from 'node:crypto'
import { channels } from '../../channels/registry.ts'
import type { Step } from '../../channels/channel.ts'
import { toReplyAddress, type Reply, type ReplyAddress } from '../../connectors/reply.ts'
import { idPrefix, inventedKey } from '../../connectors/sandbox/marks.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import { choiceOf, type Choice } from '../../pipeline/receipts/opt-outs.ts'
import { carrierKeyBytes, createReplySink, ownerOf } from '../../pipeline/receipts/reply-sink.ts'
import { withContents, type StoredContent } from '../../records/replies/content.ts'
import type { Route } from '../../routes/route.ts'
import { SenderIndex } from '../../trust/senders/sender-index.ts'
import { readSendersOf } from '../../trust/senders/queries.ts'
import type { Trust } from '../../trust/policy.ts'
import { createKeywordReader } from '../../trust/suppression/choice.ts'
import { OperationError } from '../../acts/errors.ts'
import type { AdminServices } from '../services.ts'

/** The senders of ours that an answer to the step goes to. Throws for a message that cannot be answered. */
export function addressesOf(step: Step): ReplyAddress[] {
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
    'an answer to a Kakao message goes to the chat of its channel, which no carrier delivers to this gateway; answer an SMS, MMS or RCS message',
  )
}

/** What the text says about advertisements, by the words of this installation. */
export function choiceIn({ config }: Pick<AdminServices, 'config'>, reply: Reply): Choice | null {
  return choiceOf(reply, createKeywordReader(config))
}

export interface ReplyResult {
  /** Whether the same text would reach the account if a carrier delivered it. */
  readonly reachesByCarrier: boolean
}

type Senders = Pick<Trust, 'accountsOf' | 'holdersOf'>

/** Gives the reply to the account. */
export async function sendReply(
  services: AdminServices,
  route: Pick<Route, 'id' | 'accounts' | 'protocol'>,
  accountId: number,
  reply: Reply,
): Promise<ReplyResult> {
  const { broker, topology, writes, encryption, config, metrics } = services
  const values = reply.to.map(({ value }) => value)
  const senders = new SenderIndex()
  senders.replace(await readSendersOf(writes, values))
  const sink = createReplySink({
    ...{ publisher: broker.publisher, topology, metrics, cell: config.cell },
    trust: sendersOf(accountId, senders),
    database: writes,
    readKeyword: createKeywordReader(config),
    openBlindIndex: () => encryption.blindIndex(writes),
    toCarrierKey: inventedKey,
  })
  // With one account on the route, neither others of the route nor all accounts of the installation can be meant.
  await sink({ ...route, accounts: [accountId] }, { ...reply, id: randomUUID() })
  return { reachesByCarrier: ownerOf(senders, route, reply.to, clock.date()) === accountId }
}

/** As if no other account existed. */
function sendersOf(accountId: number, senders: Senders): Senders {
  const isOwn = (id: number): boolean => id === accountId
  return {
    accountsOf: (...sender) => senders.accountsOf(...sender).filter(isOwn),
    holdersOf: (...sender) => senders.holdersOf(...sender).filter(isOwn),
  }
}

export interface SentReply {
  readonly replyKey: string
  readonly account: string | null
  readonly to: string
  readonly text: string
  readonly choice: Choice | null
  readonly at: Date
}

/** SQL: a reply of the alias `r` that was invented here; a route may have delivered those of people before it became one of the sandbox. */
const isInvented = `octet_length(r.carrier_key) = ${idPrefix.length + carrierKeyBytes}
        and substring(r.carrier_key from 1 for ${idPrefix.length}) = convert_to('${idPrefix}', 'UTF8')`

/** The newest first. Those whose content cannot be read any more are left out. */
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
