import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validateProof } from './proofs.ts'

const proof = { kind: 'consent', reference: 'doc-1', issued: '2026-11-02' } as const

test('blanks around a reference are removed', () => {
  assert.deepEqual(validateProof({ ...proof, reference: ' 계약 7 ' }), { ...proof, reference: '계약 7' })
  assert.equal(validateProof({ ...proof, issued: null }).issued, null)
})

for (const reference of ['', ' ', '\u200b', '\u3164', '\u2800', '\u00ad\u2060'])
  test(`a reference without a visible character is refused: ${JSON.stringify(reference)}`, () => {
    assert.throws(() => validateProof({ ...proof, reference }), /must not be blank/)
  })

for (const issued of ['2026-02-31', '0000-01-01', '2026-13-01'])
  test(`refuses the issue date ${issued}, which does not exist`, () => {
    assert.throws(() => validateProof({ ...proof, issued }), /issued must be a date such as 2026-11-02/)
  })
