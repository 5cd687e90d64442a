import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseByEnding, getEnding } from './endings.ts'

const choose = chooseByEnding([
  { ending: '0001', summary: 'Delivered.' },
  { ending: '0003', summary: 'Never a receipt.' },
])

test('the last four digits decide, in any notation', () => {
  for (const address of ['01012340003', '821012340003', '+82-10-1234-0003', '010 1234 000 3', '0003']) {
    assert.equal(choose(address).ending, '0003', address)
  }
  assert.equal(getEnding('+82-10-1234-0003'), '0003')
})

test('other numbers get the first row', () => {
  for (const address of ['01012345678', '01012340099', '3', '', 'Postern']) {
    assert.equal(choose(address).ending, '0001', address)
  }
})
