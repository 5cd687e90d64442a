import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitFor } from '../../../test/support/wait.ts'
import { PortedNumbers } from './ported-numbers.ts'

test('evicts the least recently used number and expired ones', async () => {
  const numbers = new PortedNumbers({ max: 2, ageMs: 200 })
  for (const number of ['1', '2', '3']) numbers.set(number, '10001')
  assert.deepEqual(
    ['1', '2', '3'].map((number) => numbers.get(number)),
    [undefined, '10001', '10001'],
  )
  await waitFor('the last one to be forgotten', () => numbers.get('3') === undefined)
})
