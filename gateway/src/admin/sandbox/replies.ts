/**
 * What a recipient of the sandbox writes back. It takes the way of a reply that a carrier delivers: stored for the account that may use the
 * number it was written to, pushed to its webhooks, and obeyed when it opts out.
 */
import { channels } from '../../channels/registry.ts'
import type { Step } from '../../channels/channel.ts'
import type { Reply, ReplyAddress } from '../../connectors/reply.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import { createReplySink, ownerOf } from '../../pipeline/receipts/reply-sink.ts'
import { withContents, type StoredContent } from '../../records/replies/content.ts'
import { noAccount } from '../../records/replies/reply.ts'
import type { Route } from '../../routes/route.ts'
import { SenderIndex } from '../../trust/senders/sender-index.ts'
import { readSendersOf } from '../../trust/senders/queries.ts'
import { createKeywordReader, wordsFromConfig } from '../../trust/suppression/choice.ts'
import { AdminProblem } from '../problem.ts'
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
  if (value !== '') return [{ kind: 'number', value }]
  throw new AdminProblem(
    'refused',
    'an answer to a Kakao message goes to the chat of its channel, which no carrier delivers to this gateway; answer an SMS, MMS or RCS message',
  )
}

/** Returns the account that has got it; null: none, until the sender is registered for one. */
export async function sendReply(
  services: AdminServices,
  route: Pick<Route, 'id' | 'accounts' | 'protocol'>,
  reply: Reply,
): Promise<number | null> {
  const { broker, topology, writes, encryption, config, metrics } = services
  const senders = new SenderIndex()
  senders.replace(
    await readSendersOf(
      writes,
      reply.to.map(({ value }) => value),
    ),
  )
  const trust = {
    accountsOf: senders.accountsOf.bind(senders),
    holdersOf: senders.holdersOf.bind(senders),
  }
  const sink = createReplySink({
    ...{ publisher: broker.publisher, topology, trust, metrics, cell: config.cell },
    database: writes,
    readKeyword: createKeywordReader(wordsFromConfig(config)),
    openBlindIndex: () => encryption.blindIndex(writes),
  })
  await sink(route, reply)
  const owner = ownerOf(trust, route, reply.to, clock.date())
  return owner === noAccount ? null : owner
}

export interface SentReply {
  readonly replyKey: string
  readonly account: string | null
  readonly to: string
  readonly text: string
  readonly choice: 'opt-out' | 'opt-in' | null
  readonly at: Date
}

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
      where r.from_index = $1 and r.route_id = any ($2) order by r.created_at desc, r.reply_key desc limit $3`,
    [fromIndex, routeIds, limit],
  )
  return (await withContents(rows)).flatMap(({ content, ...row }) =>
    content === null ? [] : [{ ...row, to: content.to, text: content.text }],
  )
}
