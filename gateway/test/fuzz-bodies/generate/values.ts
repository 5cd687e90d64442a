/**
 * The values that bodies are made of. Texts are drawn by alphabet and length rather than letter by letter: it is
 * cheap, and lengths at a limit, which matter most, are as likely as all others together.
 */
import fc from 'fast-check'

const alphabets = {
  ascii: 'abc XYZ 0189 ,.!?',
  hangul: '가나다라마바사 힣뷁똠펲',
  mixed: 'a가b나 1다\nz',
  symbols: '※①㈜°™漢字あア',
} as const

/** What only some channels can carry. */
const wide = {
  emoji: '😀👍🏽🇰🇷🎉',
  decomposed: '한글'.normalize('NFD') + 'é'.normalize('NFD'),
  extension: '€[]{}|^~\\',
  lineEnds: 'a\r\nb\rc\n',
} as const

const narrow = fc.constantFrom(...Object.values(alphabets))
const any = fc.constantFrom(...Object.values(alphabets), ...Object.values(wide))

/** From 1 to `most` UTF-16 units, often exactly so many. Never half a character. */
export function words(max: number, alphabet: fc.Arbitrary<string> = any): fc.Arbitrary<string> {
  const length = fc.oneof(
    fc.constant(max),
    fc.integer({ min: Math.max(1, max - 2), max }),
    fc.integer({ min: 1, max: Math.min(max, 30) }),
  )
  return fc.tuple(alphabet, length, fc.nat(20)).map(([letters, units, from]) => cut(letters, units, from))
}

/** Up to `most` octets of CP949, often exactly `most`. */
export function octets(max: number): fc.Arbitrary<string> {
  const exact = fc.tuple(fc.nat(max), fc.boolean()).map(([single, full]) => {
    const length = full ? max : Math.max(1, max - (single % 40))
    const ones = Math.min(single, length)
    return 'a'.repeat(ones) + '가'.repeat(Math.floor((length - ones) / 2))
  })
  return fc.oneof(exact, words(Math.floor(max / 2), narrow))
}

export function cut(letters: string, units: number, from = 0): string {
  const points = Array.from(letters)
  const start = points.slice(from % points.length).join('')
  const text = (start + letters.repeat(Math.ceil(units / letters.length) + 1)).slice(0, units)
  return text.isWellFormed() ? text : `${text.slice(0, -1)}a`
}

export const sender = fc.constantFrom('15881588', '0212345678', '01012345678', '03112345678', '0801234567')
export const recipient = fc.constantFrom('01012345678', '0101234567', '0212345678', '050712345678')
export const abroad = fc.constantFrom('+14155550123', '+8613800138000', '+447700900123', '+85212345678')
export const ref = words(200)
export const originCID = fc.constantFrom('123456789', '000000000', '987654321')
export const ttl = fc.constantFrom('1', '60', '86400', '259200')
export const address = fc.constantFrom(
  'https://example.com/a?b=1#c',
  'http://예시.한국/경로',
  'app://open/item',
  'HTTPS://EXAMPLE.COM',
)
/** Of another holder: whether it exists is only the carrier's to say. */
export const media = fc.constantFrom('maapfile://BR.brand.20260101000000.001', 'maapfile://BR.x-1_2')
export const imgUrl = fc.constantFrom('https://img.example.com/1.jpg', 'https://mud-kage.kakao.com/dn/1')
export const yesNo = fc.constantFrom('Y', 'N')

/** A record in which only the named keys are always there. */
export function fields(
  model: Record<string, fc.Arbitrary<unknown>>,
  requiredKeys: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(model, { requiredKeys: [...requiredKeys] })
}

export function many<T>(item: fc.Arbitrary<T>, min: number, max: number): fc.Arbitrary<T[]> {
  return fc.array(item, { minLength: min, maxLength: max, size: 'max' })
}
