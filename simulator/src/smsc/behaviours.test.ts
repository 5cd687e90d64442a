import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behaviourFor, behaviours } from './behaviours.ts'

test('every ending begins with 00 and has one behaviour', () => {
  const endings = behaviours.map(({ ending }) => ending)
  assert.equal(new Set(endings).size, endings.length)
  assert.ok(endings.every((ending) => /^00\d\d$/.test(ending)))
})

test('the last four digits of a number decide its behaviour, in any notation', () => {
  for (const address of ['01012340003', '821012340003', '+82-10-1234-0003', '010 1234 000 3', '0003']) {
    assert.equal(behaviourFor(address).ending, '0003', address)
  }
  for (const address of ['01012345678', '01012340099', '3', '', 'Postern']) {
    assert.equal(behaviourFor(address).ending, '0001', address)
  }
})
