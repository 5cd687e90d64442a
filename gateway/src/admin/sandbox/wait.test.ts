/** Those who wait are few, and look at little. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clock } from '../../platform/clock.ts'
import { OperationError } from '../../acts/errors.ts'
import { lookBackMs, maxPerOperator, maxWaiting, waitForItems } from './wait.ts'

const nothing = () => Promise.resolve({ items: [] })
const isTooMany = (error: unknown): boolean =>
  error instanceof OperationError && error.code === 'too-many-requests'

test('an operator waits twice at most, all operators four times, and an ended wait leaves its place', async () => {
  assert.deepEqual([maxPerOperator, maxWaiting], [2, 4])
  const stop = new AbortController()
  const wait = (operator: string) =>
    waitForItems(nothing, { operator, seconds: 20, stopping: stop.signal }).then(({ items }) => items)
  const waits = ['ann', 'ann', 'ben', 'ben'].map(wait)
  await Promise.resolve()
  await assert.rejects(wait('ann'), isTooMany)
  await assert.rejects(wait('eve'), isTooMany, 'one who does not wait yet')
  assert.deepEqual(await waitForItems(nothing, { operator: 'eve', seconds: 0 }), { items: [] })
  stop.abort()
  assert.deepEqual(await Promise.all(waits), [[], [], [], []])
  assert.deepEqual(await wait('ann'), [])
})

test('only the first search looks at everything: the others begin a minute before the request', async () => {
  const searched: (Date | undefined)[] = []
  const began = clock.date()
  const waiting = waitForItems(
    (newerThan) => {
      searched.push(newerThan)
      return Promise.resolve({ items: searched.length < 3 ? [] : ['found'] })
    },
    { operator: 'ann', seconds: 60 },
  )
  const asked = clock.date()
  assert.deepEqual((await waiting).items, ['found'])
  const [first, ...others] = searched
  assert.equal(first, undefined)
  assert.equal(others.length, 2)
  for (const newerThan of others) {
    const requestedAt = newerThan!.getTime() + lookBackMs
    assert.ok(requestedAt >= began.getTime() && requestedAt <= asked.getTime())
  }
})

test('when nothing came, the answer is that of the search of everything, from which a caller can page on', async () => {
  const search = (newerThan?: Date) =>
    Promise.resolve({ items: [], next: newerThan === undefined ? 'older' : null })
  assert.equal((await waitForItems(search, { operator: 'ann', seconds: 1 })).next, 'older')
})
