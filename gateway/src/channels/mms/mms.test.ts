import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { fits, refused } from '../../../test/support/carriers/kakao.ts'
import { requireValid } from '../issues.ts'
import {
  checkContent,
  fieldCodes,
  getFileReferences,
  FlowEntry,
  getMsgType,
  limitTexts,
  SimpleBody,
  toSubmission,
  type Content,
} from './mms.ts'

const content: Content = { from: '0234567890', text: 'hello' }
const at = 'messageFlow[1].mms.'
const check = (changes: Partial<Content>) => () =>
  requireValid((issues) => {
    const changed = { ...content, ...changes }
    checkContent(changed, at, issues)
    return limitTexts(changed, at, issues)
  })

for (const [name, unit, count] of [
  ['2000 letters', 'a', 2_000],
  ['1000 syllables', '가', 1_000],
] as const) {
  test(`MMS text: accepts ${name} (2000 bytes), rejects one byte more with A328`, () => {
    check({ text: unit.repeat(count) })()
    assert.throws(check({ text: `${unit.repeat(count)}.` }), refused('A328', `${at}text`))
  })
}

test('MMS text: rejected exactly when CP949 needs more than 2000 bytes for it', () => {
  const text = fc.array(fc.constantFrom('a', '가', '\r\n', '각'.normalize('NFD'), '똠'), {
    minLength: 900,
    maxLength: 1_400,
    size: 'max',
  })
  fc.assert(
    fc.property(text, (pieces) => {
      const candidate = pieces.join('')
      const normalized = candidate.normalize('NFC').replaceAll('\r\n', '\n')
      if (iconv.encode(normalized, 'cp949').length <= 2_000) check({ text: candidate })()
      else assert.throws(check({ text: candidate }), refused('A328', `${at}text`))
    }),
    { numRuns: 60 },
  )
})

test('MMS text: rejects an empty one and a character that cannot be sent with A303', () => {
  assert.throws(check({ text: '' }), refused('A303', `${at}text`))
  assert.throws(check({ text: 'hi 😀' }), refused('A303', `${at}text`, /U\+1F600 at position 3/))
})

test('MMS title: accepts 40 bytes, rejects 41 and what cannot be sent with A300', () => {
  check({ title: '가'.repeat(20) })()
  check({ title: 'a'.repeat(40) })()
  assert.throws(check({ title: `${'가'.repeat(20)}a` }), refused('A300', `${at}title`))
  assert.throws(check({ title: '😀' }), refused('A300', `${at}title`, /U\+1F600/))
})

test('MMS fileKey: accepts 3, rejects 4 with A319 and an empty one with A217', () => {
  check({ fileKey: ['a', 'b', 'c'] })()
  assert.throws(check({ fileKey: ['a', 'b', 'c', 'd'] }), refused('A319', `${at}fileKey`))
  assert.throws(check({ fileKey: ['a', ''] }), refused('A217', `${at}fileKey[1]`))
})

test('MMS from: rejects an invalid sender number with A302', () => {
  for (const from of ['', '11', '02-3456-7890', '+82234567890', '0501234567']) {
    assert.throws(check({ from }), refused('A302', `${at}from`))
  }
})

test('MMS msgType: MM with a file, LM without', () => {
  assert.equal(getMsgType(content), 'LM')
  assert.equal(getMsgType({ ...content, fileKey: [] }), 'LM')
  assert.equal(getMsgType({ ...content, fileKey: ['a'] }), 'MM')
})

test('MMS files: names every key and its path', () => {
  assert.deepEqual(getFileReferences(content), [])
  assert.deepEqual(getFileReferences({ ...content, fileKey: ['a', 'b'] }), [
    { key: 'a', path: 'fileKey[0]', use: 'MMS' },
    { key: 'b', path: 'fileKey[1]', use: 'MMS' },
  ])
})

test('MMS submission: normalized texts, and nothing beyond the content', () => {
  assert.deepEqual(toSubmission(content), { from: '0234567890', text: 'hello', fileKeys: [] })
  const decomposed = { ...content, text: 'one\r\ntwo', title: '가'.normalize('NFD'), fileKey: ['a'] }
  assert.deepEqual(toSubmission({ ...decomposed, originCID: '123456789' }), {
    from: '0234567890',
    text: 'one\ntwo',
    title: '가',
    fileKeys: ['a'],
    originCid: '123456789',
  })
})

test('MMS bodies: only a simple send has a recipient, only a flow entry a ttl', () => {
  const simple = { ...content, to: '01012345678', ref: 'r', originCID: '123456789' }
  assert.ok(fits(SimpleBody, simple))
  assert.ok(!fits(SimpleBody, { ...simple, ttl: '60' }))
  assert.ok(!fits(SimpleBody, content))
  assert.ok(fits(FlowEntry, { ...content, ttl: '60' }))
  assert.ok(!fits(FlowEntry, simple))
  assert.ok(!fits(FlowEntry, { ...content, subject: 'x' }))
  assert.ok(!fits(FlowEntry, { ...content, originCID: '12345678' }))
  assert.ok(!fits(FlowEntry, { ...content, fileKey: 'a' }))
  assert.deepEqual([fieldCodes.from, fieldCodes.text], ['A302', 'A303'])
})
