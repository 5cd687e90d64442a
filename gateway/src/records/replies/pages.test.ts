import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { insertReply, readReplyPages } from './queries.ts'

const { database } = await createTestDatabase()

async function write(accountId: number, letters: number): Promise<void> {
  await insertReply(database, {
    replyKey: createMsgKey('00', new Date()),
    accountId,
    routeId: 'north',
    serviceType: 'SMS',
    carrierKey: null,
    fromIndex: Buffer.from('index'),
    parts: 1,
    missing: 0,
    choice: null,
    sentAt: new Date(),
    content: { from: '01012345678', to: '0234567890', kind: 'number', text: 'x'.repeat(letters) },
  })
}

for (let n = 0; n < 20; n++) await write(1, 1_000)
for (let n = 0; n < 5; n++) await write(2, 10)

test('each page gets an equal part of the bytes, and at least one reply', async () => {
  const read = async (maxBytes: number, afterSeq = 0) => {
    const pages = await readReplyPages(
      database,
      [
        { accountId: 1, afterSeq, upToSeq: 20, limit: 20 },
        { accountId: 2, afterSeq: 0, upToSeq: 5, limit: 20 },
      ],
      new Date(0),
      maxBytes,
    )
    return pages.map(({ rows, isCut }) => [rows.map(({ seq }) => seq), isCut])
  }
  const short = [[1, 2, 3, 4, 5], false]
  assert.deepEqual(await read(10_000), [[[1, 2, 3, 4, 5], true], short])
  assert.deepEqual(await read(10_000, 17), [[[18, 19, 20], false], short])
  assert.deepEqual(await read(1), [
    [[1], true],
    [[1], true],
  ])
})
