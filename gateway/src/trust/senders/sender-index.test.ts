import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SenderIndex } from './sender-index.ts'
import { storedSenderStates, type SenderKind, type StoredSenderState } from './sender.ts'

const sender = (
  accountId: number,
  value: string,
  state: StoredSenderState = 'active',
  kind: SenderKind = 'number',
) => ({ accountId, kind, value, state, validUntil: null, createdAt: new Date(0) })

test('the accounts of a sender follow its last state, in any order of changes', () => {
  const change = fc.record({
    accountId: fc.integer({ min: 1, max: 4 }),
    kind: fc.constantFrom<SenderKind>('number', 'brand'),
    value: fc.constantFrom('021', '022'),
    state: fc.constantFrom(...storedSenderStates),
  })
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 }), (rounds) => {
      const index = new SenderIndex()
      const states = new Map<string, StoredSenderState>()
      for (const [nth, changes] of rounds.entries()) {
        const senders = changes.map(({ accountId, kind, value, state }) =>
          sender(accountId, value, state, kind),
        )
        if (nth === 3) {
          index.replace({ version: String(nth), senders })
          states.clear()
        } else index.apply({ version: String(nth), senders })
        for (const { accountId, kind, value, state } of changes)
          states.set(`${kind}/${value}/${accountId}`, state)
      }
      for (const kind of ['number', 'brand'] as const)
        for (const value of ['021', '022']) {
          const expected = [1, 2, 3, 4].filter((id) => {
            const state = states.get(`${kind}/${value}/${id}`)
            return state !== undefined && state !== 'rejected'
          })
          assert.deepEqual(index.findSenderAccounts(kind, value).sort(), expected)
          assert.deepEqual(
            index.findHolders(kind, value, 1).sort(),
            expected.filter((id) => states.get(`${kind}/${value}/${id}`) === 'active'),
          )
        }
    }),
  )
})

test('a sender is found among 50,000 accounts as quickly as among few', () => {
  const index = new SenderIndex()
  const senders = Array.from({ length: 50_000 }, (_, nth) => sender(nth + 1, `02${nth}`))
  index.apply({ version: '1', senders })
  const started = process.cpuUsage()
  for (let nth = 0; nth < 2_000; nth++)
    assert.deepEqual(index.findHolders('number', `02${nth}`, 1), [nth + 1])
  // In microseconds of CPU; scanning every account would take 10 s.
  assert.ok(process.cpuUsage(started).user < 1_000_000)
})
