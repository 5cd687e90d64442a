/** Feeds of reports and replies, with rows whose ref or text is their number. */
import { createMsgKey } from '../../../src/contract/msg-key.ts'
import type { Queryable } from '../../../src/platform/database/database.ts'
import type { Feed, FeedRow } from '../../../src/records/feed/feed.ts'
import { insertReply, replyFeed } from '../../../src/records/replies/queries.ts'
import type { NumberedReply } from '../../../src/records/replies/reply.ts'
import {
  insertReports,
  reportFeed,
  type NewReport,
  type NumberedReport,
} from '../../../src/records/reports/queries.ts'

export interface TestFeed<Row extends FeedRow> {
  readonly feed: Feed<Row>
  /** Writes rows with the numbers `from`, `from + 1` and so on. */
  readonly write: (transaction: Queryable, accountId: number, count: number, from?: number) => Promise<void>
  readonly toNumber: (row: Row) => number
}

export function createReport(accountId: number, ref: string): NewReport {
  const at = new Date()
  return {
    msgKey: createMsgKey('00', at),
    step: 1,
    accountId,
    serviceType: 'SMS',
    msgType: 'SM',
    sentAt: at,
    reportedAt: at,
    reportCode: '10000',
    reportText: 'Delivered',
    carrier: '10000',
    parts: 1,
    ref,
  }
}

export const testReports: TestFeed<NumberedReport> = {
  feed: reportFeed,
  write: (transaction, accountId, count, from = 1) =>
    insertReports(
      transaction,
      Array.from({ length: count }, (_, index) => createReport(accountId, String(from + index))),
    ),
  toNumber: ({ ref }) => Number(ref),
}

export const testReplies: TestFeed<NumberedReply> = {
  feed: replyFeed,
  async write(transaction, accountId, count, from = 1) {
    for (let number = from; number < from + count; number++)
      await insertReply(transaction, {
        replyKey: createMsgKey('00', new Date()),
        accountId,
        routeId: 'north',
        serviceType: 'SMS',
        content: { from: '01012345678', to: '0215880000', kind: 'number', text: String(number) },
        parts: 1,
        missing: 0,
        choice: null,
        fromIndex: Buffer.from('index'),
        carrierKey: null,
        sentAt: new Date(),
      })
  },
  toNumber: ({ content }) => Number(content?.text),
}
