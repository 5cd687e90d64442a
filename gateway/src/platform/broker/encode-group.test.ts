/** A group is the JSON array of its jobs, whatever their characters and size. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeGroup } from './encode-group.ts'

const encode = (jobs: readonly string[]) =>
  encodeGroup(
    jobs,
    jobs.reduce((sum, job) => sum + job.length, 0),
  ).toString()

test('a group is the JSON array of its jobs', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 64 }), (texts) => {
      const jobs = texts.map((text) => JSON.stringify({ text }))
      assert.equal(encode(jobs), `[${jobs.join(',')}]`)
    }),
  )
})

test('a group may be larger than the kept buffer', () => {
  for (const units of [87_000, 87_400, 300_000]) {
    const job = JSON.stringify('가'.repeat(units))
    assert.equal(encode([job, '1']), `[${job},1]`)
  }
})

test('the next group does not change the bytes of the last', () => {
  const first = encodeGroup(['"one"'], 5)
  encodeGroup(['"two"'], 5)
  assert.equal(first.toString(), '["one"]')
})
