/** The index of senders: it finds the accounts of a sender without asking every account, and forgets what was replaced. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SenderIndex } from './sender-index.ts'
import { storedStates, type SenderKind, type StoredState } from './sender.ts'

const sender = (
  accountId: number,
  value: string,
  state: StoredState = 'active',
  kind: SenderKind = 'number',
) => ({
  ...{ accountId, kind, value, state, validUntil: null, createdAt: new Date(0) },
})

test('the accounts of a sender are those of its last state, whatever changes came in which order', () => {
  const change = fc.record({
    accountId: fc.integer({ min: 1, max: 4 }),
    kind: fc.constantFrom<SenderKind>('number', 'brand'),
    value: fc.constantFrom('021', '022'),
    state: fc.constantFrom(...storedStates),
  })
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 }), (rounds) => {
      const index = new SenderIndex()
      const states = new Map<string, StoredState>()
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
          assert.deepEqual(index.accountsOf(kind, value).sort(), expected)
          assert.deepEqual(
            index.holdersOf(kind, value, 1).sort(),
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
  for (let nth = 0; nth < 2_000; nth++) assert.deepEqual(index.holdersOf('number', `02${nth}`, 1), [nth + 1])
  // In microseconds of CPU: asking every account takes 10 s.
  assert.ok(process.cpuUsage(started).user < 1_000_000)
})
