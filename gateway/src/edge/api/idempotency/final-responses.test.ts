import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFinalResponse, isNotAccepted } from './final-responses.ts'

const omni = (...codes: string[]): string =>
  JSON.stringify({ code: 'A000', data: { destinations: codes.map((code) => ({ code })) } })

for (const [description, status, body, final] of [
  ['an accepted send', 200, '{"code":"A000","msgKey":"K"}', true],
  ['a wrong field', 400, '{"code":"A306"}', true],
  ['an unknown path', 404, '{"code":"A300"}', true],
  ['a rate limit', 429, '{"code":"A020"}', false],
  ['an internal error', 500, '{"code":"A999"}', false],
  ['an unavailable broker', 503, '{"code":"A920"}', false],
  ['an omni send with wrong destinations', 200, omni('A000', 'A306'), true],
  ['an omni send that the broker confirmed in part', 200, omni('A000', 'A920'), false],
  ['a ref that looks like a code', 200, '{"code":"A000","ref":"{\\"code\\":\\"A920\\"}"}', true],
] as const) {
  test(`${description} is ${final ? '' : 'not '}repeated`, () =>
    assert.equal(isFinalResponse(status, body), final))
}

for (const [description, status, body, expected] of [
  ['an accepted send', 200, '{"code":"A000","msgKey":"K"}', false],
  ['a rate limit', 429, '{"code":"A020"}', true],
  [
    'a refusal of the broker',
    503,
    '{"code":"A920","result":"Service busy: not accepted; send it again"}',
    true,
  ],
  ['a late confirm', 503, '{"code":"A920","result":"Service busy: perhaps accepted; repeat it"}', false],
  ['an internal error', 500, '{"code":"A999","result":"not accepted"}', false],
] as const) {
  test(`${description} ${expected ? 'forgets' : 'keeps'} its key`, () =>
    assert.equal(isNotAccepted(status, body), expected))
}
