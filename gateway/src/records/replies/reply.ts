/** A reply of a recipient to an account: its types, and the record that clients read. Pure. */
import { Type } from 'typebox'
import type { FormatTime } from '../../contract/times.ts'

/** The account of replies to numbers and brands that no account, or more than one, has. */
export const noAccount = 0

export interface ReplyContent {
  /** The recipient of our messages who has written: as sends name it. */
  readonly from: string
  /** The number, chatbot or brand that it was sent to. */
  readonly to: string
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand'
  readonly text: string
}

export interface NewReply {
  /** In the form of a msgKey. */
  readonly replyKey: string
  readonly accountId: number
  readonly routeId: string
  readonly serviceType: 'SMS' | 'MMS' | 'RCS'
  readonly content: ReplyContent
  /** Parts that it was sent in, and how many of them are missing. */
  readonly parts: number
  readonly missing: number
  readonly choice: 'opt-out' | 'opt-in' | null
  /** Keyed hash of `content.from`. */
  readonly fromIndex: Buffer
  /** A digest of the carrier's id for it; null where it has none. */
  readonly carrierKey: Buffer | null
  readonly sentAt: Date
}

/** What a client reads. Null: its content is encrypted and its key is destroyed. */
export interface ReplyRow extends Omit<
  NewReply,
  'accountId' | 'routeId' | 'fromIndex' | 'carrierKey' | 'content'
> {
  readonly content: ReplyContent | null
}

export interface NumberedReply extends ReplyRow {
  readonly seq: number
  readonly createdAt: Date
}

export const ReplyRecord = Type.Object(
  {
    replyId: Type.String({ description: 'Id of the reply, the same wherever it is read' }),
    serviceType: Type.String({ description: 'SMS, MMS or RCS' }),
    from: Type.String({
      description: 'Number of the recipient who has written, in the form of `to` of a send',
    }),
    to: Type.String({ description: 'Your number, chatbot or brand that it was sent to' }),
    text: Type.String({ description: 'Text of the reply' }),
    replyTime: Type.String({ description: "When it was sent: yyyy-MM-dd'T'HH:mm:ssXXX" }),
    partCnt: Type.String({ description: 'Number of parts it was sent in' }),
    complete: Type.String({
      description: 'N when a part has not arrived in ten minutes: the text then has a gap; otherwise Y',
    }),
    choice: Type.String({
      description: 'opt-out or opt-in when the text is such a word, which is recorded; otherwise empty',
    }),
  },
  { additionalProperties: false, description: 'A text that a recipient has sent to you' },
)

export function toReplyRecord(row: ReplyRow, formatTime: FormatTime) {
  return {
    replyId: row.replyKey,
    serviceType: row.serviceType,
    from: row.content?.from ?? '',
    to: row.content?.to ?? '',
    text: row.content?.text ?? '',
    replyTime: formatTime(row.sentAt),
    partCnt: String(row.parts),
    complete: row.missing === 0 ? 'Y' : 'N',
    choice: row.choice ?? '',
  }
}
