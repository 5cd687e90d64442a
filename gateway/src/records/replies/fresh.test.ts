/** New replies for webhooks: in order, bounded by octets as well as by count, and what is left out is known. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { insertReply, readFreshReplies } from './queries.ts'

const { database } = await createTestDatabase()

async function write(accountId: number, letters: number): Promise<void> {
  await insertReply(database, {
    ...{ replyKey: createMsgKey('00', new Date()), accountId, routeId: 'north', serviceType: 'SMS' },
    ...{ carrierKey: null, fromIndex: Buffer.from('index'), parts: 1, missing: 0, choice: null },
    sentAt: new Date(),
    content: { from: '01012345678', to: '0234567890', kind: 'number', text: 'x'.repeat(letters) },
  })
}

for (let n = 0; n < 20; n++) await write(1, 1_000)
for (let n = 0; n < 5; n++) await write(2, 10)

test('each webhook gets its share of the octets, and one reply at least', async () => {
  const read = async (maxBytes: number, afterSeq = 0) => {
    const rows = await readFreshReplies(
      database,
      [
        { webhookId: 'long', accountId: 1, afterSeq, count: 20 },
        { webhookId: 'short', accountId: 2, afterSeq: 0, count: 20 },
      ],
      new Date(0),
      maxBytes,
    )
    const own = Map.groupBy(rows, ({ webhookId }) => webhookId)
    return ['long', 'short'].map(
      (id) => [own.get(id)!.map(({ seq }) => seq), own.get(id)![0]!.found] as const,
    )
  }
  const short = [[1, 2, 3, 4, 5], 5] as const
  assert.deepEqual(await read(10_000), [[[1, 2, 3, 4, 5], 20], short])
  assert.deepEqual(await read(10_000, 17), [[[18, 19, 20], 3], short])
  assert.deepEqual(await read(1), [
    [[1], 20],
    [[1], 5],
  ])
})
