/** Regular expressions over a client's text must take linear time: a body can have 256 KB. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../test/support/measure/cpu-time.ts'
import { isAmount } from './alimtalk/items.ts'
import { mediaIn } from './rcs/values.ts'

const bytes = 256 * 1024

for (const [name, check, text] of [
  ['an amount of digits and spaces', isAmount, `1${' '.repeat(bytes)}x`],
  ['an amount of digits and commas', isAmount, `1${', '.repeat(bytes / 2)}x`],
  ['an amount with decimals and spaces', isAmount, `1.00${' '.repeat(bytes)}x`],
  ['a list of media references', mediaIn, `https://${',maapfile://x'.repeat(bytes / 13)} `],
] as const) {
  test(`${name} is refused in linear time`, () => {
    assert.ok(cpuMs(() => assert.ok(check(text) === false || check(text) === null)) < 500)
  })
}

test('amounts and media references are still recognized', () => {
  for (const text of ['1', '1,000원', '₩ 12,000', '1 000.50 USD', 'USD 5.00', '5  원'])
    assert.ok(isAmount(text), text)
  for (const text of ['', '원', '1.234', '1.00 0', '1..0', 'US 5']) assert.ok(!isAmount(text), text)
  assert.equal(mediaIn('https://a.example/v,maapfile://k1'), 'maapfile://k1')
  assert.equal(mediaIn('https://a.example/v,maapfile:///k1'), null)
})
