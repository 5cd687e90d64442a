/** A reply of a recipient to an account, and the record that clients read. */
import { Type } from 'typebox'
import { timeField } from '../../contract/response.ts'
import type { FormatTime } from '../../contract/times.ts'

/** Account of replies to numbers and brands that belong to no account, or to several. */
export const noAccount = 0

export interface ReplyContent {
  /** The sender of the reply, in the form of `to` of a send. */
  readonly from: string
  /** Number, chatbot or brand that it was sent to. */
  readonly to: string
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand'
  readonly text: string
}

export interface NewReply {
  /** Has the form of a msgKey. */
  readonly replyKey: string
  readonly accountId: number
  readonly routeId: string
  readonly serviceType: 'SMS' | 'MMS' | 'RCS'
  readonly content: ReplyContent
  readonly parts: number
  readonly missing: number
  readonly choice: 'opt-out' | 'opt-in' | null
  /** Keyed hash of `content.from`. */
  readonly fromIndex: Buffer
  /** Digest of the carrier's id, if it has one. */
  readonly carrierKey: Buffer | null
  readonly sentAt: Date
}

export interface ReplyRow extends Omit<
  NewReply,
  'accountId' | 'routeId' | 'fromIndex' | 'carrierKey' | 'content'
> {
  /** `null` if it is encrypted and its key is destroyed. */
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
    replyTime: timeField('When it was sent'),
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
