import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mark, newMeter, perSecond } from './meter.ts'

test('counts the marks of the last whole second', () => {
  const meter = newMeter()
  for (let count = 0; count < 7; count++) mark(meter, 5000 + count)
  assert.equal(perSecond(meter, 5999), 0)
  assert.equal(perSecond(meter, 6000), 7)
  assert.equal(perSecond(meter, 8000), 0)
})
