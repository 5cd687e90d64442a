/** Only an answer without any error is a success. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnswer } from './answer.ts'

const isSuccess = (fields: object): boolean =>
  readAnswer({
    ...{ kind: 'answer', status: 200, headers: {}, retryAfterMs: null },
    body: Buffer.from(JSON.stringify({ status: '200', ...fields })),
  }).isSuccess

test('an answer with an error is no success, whatever its status and the form of its code', () => {
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
