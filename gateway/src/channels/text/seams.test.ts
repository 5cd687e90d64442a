/** The boundaries of splitting, one row each: text, encoding, units, and the length of every part. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countInternationalParts, maxInternationalParts, splitInternational } from './parts.ts'

const a = (count: number): string => 'a'.repeat(count)
const ga = (count: number): string => '가'.repeat(count)

type Row = readonly [
  name: string,
  text: string,
  encoding: 'gsm7' | 'ucs2',
  units: number,
  lengths: readonly number[],
]

/** `lengths` are UTF-16 units of each part, so an extension character is one of them and an emoji two. */
const rows: readonly Row[] = [
  ['nothing', '', 'gsm7', 0, [0]],
  ['160 septets', a(160), 'gsm7', 160, [160]],
  ['161 septets', a(161), 'gsm7', 161, [153, 8]],
  ['2 × 153 septets', a(306), 'gsm7', 306, [153, 153]],
  ['2 × 153 + 1 septets', a(307), 'gsm7', 307, [153, 153, 1]],
  ['3 × 153 septets', a(459), 'gsm7', 459, [153, 153, 153]],
  ['4 × 153 septets', a(612), 'gsm7', 612, [153, 153, 153, 153]],
  ['5 × 153 septets', a(765), 'gsm7', 765, [153, 153, 153, 153, 153]],
  ['5 × 153 + 1 septets', a(766), 'gsm7', 766, [153, 153, 153, 153, 153, 1]],
  ['80 extension characters', '€'.repeat(80), 'gsm7', 160, [80]],
  ['81 extension characters', '€'.repeat(81), 'gsm7', 162, [76, 5]],
  ['an extension character that ends a single part', a(158) + '€', 'gsm7', 160, [159]],
  ['an extension character that overflows a single part', a(159) + '€', 'gsm7', 161, [153, 7]],
  ['an extension character that ends a part exactly', a(151) + '[' + a(20), 'gsm7', 173, [152, 20]],
  ['an extension character across the seam', a(152) + '[' + a(20), 'gsm7', 174, [152, 21]],
  ['an extension character after the seam', a(153) + '[' + a(20), 'gsm7', 175, [153, 21]],
  ['an extension character across a later seam', a(305) + '~', 'gsm7', 307, [153, 152, 1]],
  [
    '765 septets whose seam needs a sixth part',
    a(152) + '€' + a(611),
    'gsm7',
    765,
    [152, 152, 153, 153, 153, 1],
  ],
  ['70 units', ga(70), 'ucs2', 70, [70]],
  ['71 units', ga(71), 'ucs2', 71, [67, 4]],
  ['2 × 67 units', ga(134), 'ucs2', 134, [67, 67]],
  ['2 × 67 + 1 units', ga(135), 'ucs2', 135, [67, 67, 1]],
  ['3 × 67 units', ga(201), 'ucs2', 201, [67, 67, 67]],
  ['4 × 67 units', ga(268), 'ucs2', 268, [67, 67, 67, 67]],
  ['5 × 67 units', ga(335), 'ucs2', 335, [67, 67, 67, 67, 67]],
  ['5 × 67 + 1 units', ga(336), 'ucs2', 336, [67, 67, 67, 67, 67, 1]],
  ['one character outside GSM-7 among 70', a(69) + 'ç', 'ucs2', 70, [70]],
  ['one character outside GSM-7 among 160', a(159) + 'ç', 'ucs2', 160, [67, 67, 26]],
  ['an extension character in UCS-2, one unit', ga(69) + '€', 'ucs2', 70, [70]],
  ['35 emoji', '😀'.repeat(35), 'ucs2', 70, [70]],
  ['36 emoji', '😀'.repeat(36), 'ucs2', 72, [66, 6]],
  ['an emoji that ends a single part', ga(68) + '😀', 'ucs2', 70, [70]],
  ['an emoji that overflows a single part', ga(69) + '😀', 'ucs2', 71, [67, 4]],
  ['an emoji that ends a part exactly', ga(65) + '😀' + ga(10), 'ucs2', 77, [67, 10]],
  ['an emoji across the seam', ga(66) + '😀' + ga(10), 'ucs2', 78, [66, 12]],
  ['an emoji after the seam', ga(67) + '😀' + ga(10), 'ucs2', 79, [67, 12]],
  ['an emoji across a later seam', ga(133) + '😀', 'ucs2', 135, [67, 66, 2]],
  ['335 units whose seam needs a sixth part', ga(66) + '😀' + ga(267), 'ucs2', 335, [66, 67, 67, 67, 67, 1]],
  ['a lone high surrogate at the seam', ga(66) + '\ud83d' + ga(10), 'ucs2', 77, [67, 10]],
  ['two high surrogates and a low one at the seam', ga(66) + '\ud83d😀' + ga(10), 'ucs2', 79, [67, 12]],
]

for (const [name, text, encoding, units, lengths] of rows) {
  test(`splits ${name} into parts of ${lengths.join(', ')}`, () => {
    assert.deepEqual(countInternationalParts(text), { encoding, units, parts: lengths.length })
    const split = splitInternational(text, 200)
    assert.deepEqual(
      split.map((part) => part.text.length),
      lengths,
    )
    assert.equal(split.map((part) => part.text).join(''), text)
  })
}

test('exceeds the maximum by its part count, even at 765 septets or 335 units', () => {
  assert.equal(maxInternationalParts, 5)
  assert.equal(countInternationalParts(a(765)).parts, 5)
  assert.equal(countInternationalParts(a(152) + '€' + a(611)).parts, 6)
  assert.equal(countInternationalParts(ga(66) + '😀' + ga(267)).parts, 6)
})
