import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMaapResponse } from './response.ts'

const isSuccess = (fields: object): boolean =>
  parseMaapResponse({
    kind: 'answer',
    status: 200,
    headers: {},
    retryAfterMs: null,
    body: Buffer.from(JSON.stringify({ status: '200', ...fields })),
  }).isSuccess

test('a response with an error is never a success', () => {
  const errors = [
    { code: 'E1' },
    { code: '999999' },
    { message: 'refused' },
    { code: 51004 },
    ['refused'],
    'refused',
  ]
  for (const error of errors) assert.equal(isSuccess({ error }), false, JSON.stringify(error))
  for (const fields of [{}, { error: null }, { error: {} }, { error: '' }, { data: {} }])
    assert.equal(isSuccess(fields), true, JSON.stringify(fields))
})
