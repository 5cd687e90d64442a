import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseKeyOutcome } from './final-responses.ts'

for (const [description, status, destinations, acceptance, expected] of [
  ['an accepted send', 200, undefined, undefined, 'accepted'],
  ['a wrong field', 400, undefined, 'no', 'refused'],
  ['an unknown path', 404, undefined, 'no', 'refused'],
  ['a rate limit', 429, undefined, 'no', 'forgotten'],
  ['a refusal of the broker', 503, undefined, 'no', 'forgotten'],
  ['a late confirm', 503, undefined, 'perhaps', 'released'],
  ['an internal error', 500, undefined, 'perhaps', 'released'],
  ['an error that does not say what was accepted', 503, undefined, undefined, 'released'],
  ['an omni send with wrong destinations', 200, ['A000', 'A306'], undefined, 'accepted'],
  ['an omni send with only wrong destinations', 200, ['A306', 'A306'], undefined, 'refused'],
  ['an omni send that the broker confirmed in part', 200, ['A000', 'A920'], undefined, 'released'],
] as const) {
  test(`the key of ${description} is ${expected}`, () =>
    assert.equal(chooseKeyOutcome({ status, destinations, acceptance }), expected))
}
