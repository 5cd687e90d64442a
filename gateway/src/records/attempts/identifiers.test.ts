import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalId } from '../../carriers/connectors/carrier-id.ts'
import { candidateIds, recipientTail } from './identifiers.ts'

const number = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn })
const zeros = fc.integer({ min: 0, max: 8 })

type Spelling = (id: bigint) => string
const spellings: Record<string, Spelling> = {
  decimal: (id) => id.toString(10),
  'lower-case hexadecimal': (id) => id.toString(16),
  'upper-case hexadecimal': (id) => id.toString(16).toUpperCase(),
}

for (const [inResponse, spellResponse] of Object.entries(spellings)) {
  for (const [inReceipt, spellReceipt] of Object.entries(spellings)) {
    test(`an id in ${inResponse} is found when the receipt writes it in ${inReceipt}`, () => {
      fc.assert(
        fc.property(number, zeros, zeros, (id, before, after) => {
          const stored = canonicalId('0'.repeat(before) + spellResponse(id))
          assert.ok(candidateIds('0'.repeat(after) + spellReceipt(id)).includes(stored))
        }),
      )
    })
  }
}

test('the literal form always comes first', () => {
  fc.assert(fc.property(fc.string(), (id) => assert.equal(candidateIds(id)[0] ?? '', canonicalId(id))))
})

test('every id is found when the receipt repeats it in either case', () => {
  const id = fc.string({
    unit: fc.constantFrom('0', '1', '9', 'a', 'f', 'X', 'Z', '-', '_', '.', ':'),
    minLength: 1,
  })
  fc.assert(
    fc.property(id, (text) => {
      const stored = canonicalId(text)
      assert.ok(candidateIds(text.toUpperCase()).includes(stored))
      assert.ok(candidateIds(text.toLowerCase()).includes(stored))
      assert.ok(candidateIds(` ${text} `).includes(stored))
    }),
  )
})

test('never searches for more than three forms, and for none twice', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-f]{0,24}$/), (id) => {
      const candidates = candidateIds(id)
      assert.ok(candidates.length <= 3)
      assert.equal(new Set(candidates).size, candidates.length)
    }),
  )
})

test('long digests and words are not treated as numbers', () => {
  assert.deepEqual(candidateIds('d41d8cd98f00b204e9800998ecf8427e'), ['d41d8cd98f00b204e9800998ecf8427e'])
  assert.deepEqual(candidateIds('msg-0001'), ['msg-0001'])
})

test('zero is an id', () => {
  assert.equal(canonicalId('0000'), '0')
  assert.deepEqual(candidateIds('00'), ['0'])
})

for (const written of ['01012345678', '821012345678', '+82 10-1234-5678', '12345678', '0082-10-1234-5678']) {
  test(`${written} is recognized as the same recipient`, () => {
    assert.equal(recipientTail(written), '12345678')
  })
}
