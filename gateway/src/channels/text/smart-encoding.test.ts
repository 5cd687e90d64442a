import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../contract/problem.ts'
import { requireValid } from '../issues.ts'
import { limitBytes } from './bytes.ts'
import { findUnencodable } from './cp949.ts'
import { normalizeText } from './normalize.ts'
import { countPlainBytes, plainEquivalents } from './smart-encoding.ts'

const limit = { max: 90, tooLong: 'A328', wrong: 'A303' } as const
const send = (text: string, smartEncoding = true): string =>
  requireValid((issues) => limitBytes(text, 'text', limit, issues), { smartEncoding })

const assertRefused = (code: string, reason: RegExp, run: () => unknown): void => {
  assert.throws(run, (error) => {
    assert.ok(error instanceof Problem)
    assert.equal(error.code, code)
    assert.match(error.message, reason)
    return true
  })
}

test('every character of the table is one that CP949 lacks, and every equivalent is one that it has', () => {
  const all = plainEquivalents.flatMap(({ characters }) => Array.from(characters))
  assert.equal(new Set(all).size, all.length)
  for (const character of all) {
    assert.equal(normalizeText(character), character)
    assert.equal(findUnencodable(character)?.character, character)
  }
  for (const { equivalent } of plainEquivalents) assert.equal(findUnencodable(equivalent), null)
})

test('a text with characters of the table is sent with their equivalents', () => {
  assert.equal(send('9—18\u00A0시 • ©Shop\uFEFF'), '9-18 시 · (c)Shop')
  assert.equal(countPlainBytes('©—'), 4)
})

test('a text that CP949 encodes is not changed', () => {
  for (const text of ['“인용” ‘인용’ … ― ※ ® ™ €', '가'.normalize('NFD'), 'a\r\nb'])
    assert.equal(send(text), text)
})

test('the limit applies to the text that is sent', () => {
  assert.equal(send(`${'a'.repeat(87)}©`).length, 90)
  assertRefused('A328', /found 91/, () => send(`${'a'.repeat(88)}©`))
})

test('a character without an equivalent is refused at its position in the given text', () => {
  assertRefused('A303', /U\+1F600 at position 2 /, () => send('©—😀'))
  assertRefused('A303', /must not be empty/, () => send('\u200B'))
})

test('without smart encoding the first such character is refused', () => {
  assertRefused('A303', /U\+2014 at position 1 /, () => send('9—18', false))
})
