/**
 * `postern traffic find` over the admin API finds the newest of many records, and reads the key of each a
 * limited number of times.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOperatorKey } from '../../identity/operators/key.ts'
import { AdminClient, pageSize } from '../client/client.ts'
import { HttpTransport } from '../client/http.ts'
import { findRecords } from './find.ts'

const start = Date.parse('2026-10-01T00:00:00Z')
const keyOf = (nth: number): string =>
  `${new Date(start + nth * 1000).toISOString().replaceAll(/\D/g, '')}00AAAAAAAAAAAAA`

test('finds the newest 10,000 of 20,000 records that are returned in the order of their end', async () => {
  const [limit, recordCount] = [10_000, 20_000]
  let reads = 0
  const recordOf = (nth: number) => {
    const key = keyOf(nth)
    return {
      account: 'shop',
      sender: null,
      channel: 'sms',
      reportCode: '10000',
      sentAt: new Date(start),
      get msgKey() {
        reads += 1
        return key
      },
    }
  }
  const asked: (string | undefined)[] = []
  const answer = (_id: string, { body }: { body: { from?: string; cursor?: string } }) => {
    asked.push(body.from)
    const from = Number(body.cursor ?? 0)
    // 7919 and the number of records are coprime: each record occurs once, and the first of the previous page
    // once more.
    const nths = Array.from({ length: pageSize }, (_, n) => ((from + n) * 7919) % recordCount)
    const again = from === 0 ? [] : [((from - pageSize) * 7919) % recordCount]
    const next = from + pageSize < recordCount ? String(from + pageSize) : null
    return Promise.resolve({ items: [...again, ...nths].map(recordOf), next })
  }
  const target = { url: 'http://127.0.0.1:1', key: createOperatorKey().text, profile: null }
  const admin = Object.assign(new AdminClient(new HttpTransport(target), 'request 2026-117'), {
    call: answer,
  })
  const { json } = await findRecords(admin, '01012345678', { limit })
  const found = (json as { items: { msgKey: string }[] }).items.map(({ msgKey }) => msgKey)
  assert.deepEqual(
    found,
    Array.from({ length: limit }, (_, n) => keyOf(recordCount - 1 - n)),
  )
  assert.ok(reads < recordCount * 10, `${reads / recordCount} reads of a key`)
  // Older records are not queried once there are enough.
  assert.ok(asked.findIndex((from) => from !== undefined) <= limit / pageSize + 1)
  assert.ok(asked.at(-1)! > asked[limit / pageSize + 1]!)
})
