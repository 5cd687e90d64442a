import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clock } from '../../platform/time/clock.ts'
import { OperationError } from '../errors.ts'
import { lookBackMs, maxWaitingPerOperator, maxWaitingRequests, waitForItems } from './wait.ts'

const nothing = () => Promise.resolve({ items: [] })
const isTooMany = (error: unknown): boolean =>
  error instanceof OperationError && error.code === 'too-many-requests'

test('an operator waits at most twice, all operators four times; an ended wait frees its slot', async () => {
  assert.deepEqual([maxWaitingPerOperator, maxWaitingRequests], [2, 4])
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

test('only the first search covers all messages; later ones begin a minute before the request', async () => {
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

test('a wait without a result returns the first search, with its cursor', async () => {
  const search = (newerThan?: Date) =>
    Promise.resolve({ items: [], next: newerThan === undefined ? 'older' : null })
  assert.equal((await waitForItems(search, { operator: 'ann', seconds: 1 })).next, 'older')
})
