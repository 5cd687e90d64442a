import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { Problem } from '../../contract/problem.ts'
import { causes } from '../cause.ts'
import { requireValid } from '../issues.ts'
import { sms } from './sms.ts'

const body = { from: '0234567890', to: '01012345678', text: 'hello' }
const textOf = (text: string): string =>
  requireValid((issues) => sms.draft({ ...body, text }, issues)).steps[0]!.text
const refusal = (changes: object): Problem => {
  try {
    requireValid((issues) => sms.draft({ ...body, ...changes }, issues))
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error
  }
  return assert.fail('it was accepted')
}

test('a draft is one step with the content as sent', () => {
  assert.deepEqual(
    requireValid((issues) => sms.draft({ ...body, ref: 'order 7', originCID: '123456789' }, issues)),
    {
      to: '01012345678',
      ref: 'order 7',
      steps: [{ channel: 'sms', from: '0234567890', text: 'hello', originCid: '123456789' }],
    },
  )
  assert.deepEqual(
    requireValid((issues) => sms.draft(body, issues)),
    { to: '01012345678', steps: [{ channel: 'sms', from: '0234567890', text: 'hello' }] },
  )
})

for (const [text, name] of [
  ['a'.repeat(90), '90 letters'],
  ['가'.repeat(45), '45 syllables'],
  ['가'.repeat(44) + 'ab', '44 syllables and two letters'],
] as const) {
  test(`accepts ${name} (90 bytes) and rejects one byte more`, () => {
    assert.equal(textOf(text), text)
    assert.equal(refusal({ text: `${text}.` }).code, 'A328')
  })
}

test('counts syllables outside KS X 1001 as two bytes too', () => {
  assert.equal(textOf('똠방각하 펲시콜라'), '똠방각하 펲시콜라')
  assert.equal(refusal({ text: '똠'.repeat(46) }).code, 'A328')
})

test('composes decomposed Hangul before it counts', () => {
  const text = '가나다라마바사아자차카타파하'
  assert.notEqual(text.normalize('NFD').length, text.length)
  assert.equal(textOf(text.normalize('NFD')), text)
  assert.equal(textOf('각'.repeat(45).normalize('NFD')), '각'.repeat(45))
})

test('counts a line end as one byte, whether LF, CR or CRLF', () => {
  assert.equal(textOf('one\r\ntwo\rthree'), 'one\ntwo\nthree')
  assert.equal(textOf('\r\n'.repeat(90)), '\n'.repeat(90))
})

for (const [text, point, position] of [
  ['hello 😀', '1F600', 6],
  ['naïve', '00EF', 2],
  ['zero\0', '0000', 4],
  ['half \ud83d', 'D83D', 5],
] as const) {
  test(`rejects U+${point} with A303 and names the character and its position`, () => {
    const { code, message } = refusal({ text })
    assert.equal(code, 'A303')
    assert.match(message, new RegExp(`'text'.*U\\+${point}.*${position}`))
  })
}

for (const from of ['', '+82234567890', '02-3456-7890', 'Postern', '11', '0215441234', '0501234567']) {
  test(`rejects the sender '${from}' with A302`, () => {
    assert.equal(refusal({ from }).code, 'A302')
  })
}

for (const to of ['', '1012345678', '0101234', '0101234567890', 'x']) {
  test(`rejects the recipient '${to}' with A306`, () => {
    assert.equal(refusal({ to }).code, 'A306')
  })
}

test('no accepted text exceeds 90 bytes of CP949 or changes when encoded in CP949', () => {
  const letter = fc.oneof(
    fc.constantFrom('a', 'Z', '0', ' ', '.', '\n', '\r', '~', '\\', '[', '}'),
    fc.integer({ min: 0xac00, max: 0xd7a3 }).map((unit) => String.fromCharCode(unit)),
    fc.integer({ min: 0xac00, max: 0xd7a3 }).map((unit) => String.fromCharCode(unit).normalize('NFD')),
    fc.integer({ min: 0x20, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  )
  let accepted = 0
  fc.assert(
    fc.property(fc.array(letter, { minLength: 1, maxLength: 60 }), (letters) => {
      let text: string
      try {
        text = textOf(letters.join(''))
      } catch (error) {
        assert.ok(error instanceof Problem)
        return
      }
      accepted++
      const octets = iconv.encode(text, 'cp949')
      assert.ok(octets.length <= 90)
      assert.equal(iconv.decode(octets, 'cp949'), text)
      assert.equal(text, text.normalize('NFC'))
    }),
    { numRuns: 2_000 },
  )
  assert.ok(accepted > 50, `only ${accepted} of 2000 were acceptable at all`)
})

test('is always one part', () => {
  for (const text of ['hello', '가'.repeat(45), '{'.repeat(90)]) {
    const parts = sms.parts({ channel: 'sms', from: body.from, text }, 'seed')
    assert.deepEqual(
      parts.map(({ part, parts: count, text: content }) => [part, count, content]),
      [[1, 1, text]],
    )
  }
})

test('every cause has a report code of its family', () => {
  for (const cause of causes) {
    const { code, text } = sms.reportCode(cause)
    assert.match(code, /^(10000|2[23]\d{3}|9\d{4})$/)
    assert.notEqual(text, '')
  }
  assert.equal(sms.reportCode('delivered').code, '10000')
})
