/**
 * One change of a body, described by plain values so that it shrinks: a field is dropped, duplicated,
 * renamed, lengthened, wrapped, replaced by an unexpected value or by another field's value, or a field is
 * added.
 */
import fc from 'fast-check'
import { cut } from './values.ts'

type Container = Record<string, unknown> | unknown[]

export interface Mutation {
  readonly kind: (typeof kinds)[number]
  readonly at: number
  readonly name: string
  readonly value: unknown
  readonly count: number
}

const kinds = ['drop', 'double', 'rename', 'replace', 'stretch', 'wrap', 'copy', 'add'] as const

const names = (
  'text to from ref title fileKey originCID ttl fallback type button buttons content body formatId brandKey ' +
  'header footer expiryOption standalone carousel template media mediaUrl subContent senderKey msgType link ' +
  'templateCode imgUrl attachment item image coupon commerce video adFlag sendType targeting messageVariable ' +
  'carouselVariable supplement quickReply destinations messageFlow messageForm replaceWords replaceWord ' +
  'paymentCode sms mms rcs alimtalk friendtalk brandmessage international urlPC schemeIOS addtionalContent ' +
  'adults copyAllow Text Label SubTitle subUrl description1 title2 media9 constructor prototype __proto__ ' +
  'toString hasOwnProperty length then 0 ＀ \u0000'
).split(' ')

/** Limits of the documents; generated lengths are at a limit or differ from it by one. */
const limits = [
  0, 5, 6, 8, 9, 12, 13, 14, 16, 17, 18, 19, 20, 23, 30, 33, 34, 40, 45, 50, 64, 76, 90, 100, 150, 160, 180,
  200, 335, 400, 500, 700, 765, 1_000, 1_300, 2_000, 4_000, 20_000, 70_000,
]
const letters = ['a', '가', '😀', '각'.normalize('NFD'), 'é'.normalize('NFD'), '€', '漢', 'a\r\n', '\u200b']

export const deepMark = (count: number, kind: 'list' | 'object'): string => `@deep ${kind} ${count}@`

const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    1.5,
    1e21,
    -1e308,
    2 ** 53,
    99_999_999,
    100_000_000,
  ),
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\n',
    '\0',
    '\u0007',
    '\ud800',
    '\udc00x',
    '\ufeff',
    '\u2028',
    '😀',
    '-1',
    'NaN',
  ),
  fc.constantFrom<unknown>(
    '#{name}',
    '#{없음}',
    '#{}',
    '#{#{name}}',
    '#{__proto__}',
    '#{constructor}',
    '#{a}#{b',
  ),
  fc.constantFrom<unknown>(
    '01012345678',
    '+14155550123',
    '15881588',
    '0',
    'SMS',
    'MMS',
    'Y',
    'N',
    'FT',
    'FC',
    'FP',
  ),
  fc.constantFrom<unknown>(
    'maapfile://x',
    'https://img/1',
    '\\',
    'javascript:alert(1)',
    '2026-02-30T00:00:00Z',
  ),
  fc.constantFrom<unknown>([], {}, [[]], [null], [{}], { a: {} }, [''], ['x', 'y', 'z', 'w'], { text: 'x' }),
  fc
    .tuple(fc.constantFrom(100, 1_000, 5_000, 20_000), fc.constantFrom<'list' | 'object'>('list', 'object'))
    .map(([count, kind]) => deepMark(count, kind)),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
)

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  // Lengths are changed most often, because limits apply to them.
  kind: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...kinds) },
    { weight: 1, arbitrary: fc.constant('stretch' as const) },
  ),
  at: fc.nat(10_000),
  name: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() }),
  value: strange,
  count: fc.nat(10_000),
})

/** Returns a changed copy. */
export function mutateBody(body: unknown, change: Mutation): unknown {
  const copy = structuredClone(body)
  const places = placesOf(copy)
  const place = places[change.at % Math.max(1, places.length)]
  if (place === undefined) return change.value
  const other = places[change.count % places.length]!
  const { holder, key } = place
  const value = (holder as Record<string, unknown>)[key]
  switch (change.kind) {
    case 'drop':
      remove(holder, key)
      break
    case 'double':
      if (Array.isArray(value)) put(holder, key, repeat(value, change.count))
      else put(holder, Array.isArray(holder) ? String(holder.length) : change.name, value)
      break
    case 'rename':
      remove(holder, key)
      put(holder, change.name, value)
      break
    case 'replace':
      put(holder, key, change.value)
      break
    case 'stretch':
      put(holder, key, stretched(value, change))
      break
    case 'wrap':
      put(holder, key, change.count % 2 === 0 ? [value] : { [change.name]: value })
      break
    case 'copy':
      put(holder, key, structuredClone((other.holder as Record<string, unknown>)[other.key]))
      break
    case 'add':
      put(holder, change.name, change.value)
      break
  }
  return copy
}

interface Place {
  readonly holder: Container
  readonly key: string
}

function placesOf(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inner] of Object.entries(value)) {
    found.push({ holder: value as Container, key })
    placesOf(inner, found)
  }
  return found
}

/** Defines an own property, whatever its name. */
function put(holder: Container, key: string, value: unknown): void {
  if (Array.isArray(holder) && !/^\d+$/.test(key)) holder.push(value)
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

function remove(holder: Container, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else Reflect.deleteProperty(holder, key)
}

/** Returns the elements repeatedly, in rare cases so often that the whole body is too large. */
function repeat(list: readonly unknown[], count: number): unknown[] {
  const times = count % 50 === 0 ? 2_000 : (count % 12) + 1
  return Array.from({ length: times }, () => list)
    .flat()
    .slice(0, 4_000)
}

function stretched(value: unknown, { at, count, name }: Mutation): unknown {
  if (typeof value === 'number') return limits[count % limits.length]! * (at % 2 === 0 ? 1 : -1)
  const length = Math.max(0, limits[count % limits.length]! + (at % 3) - 1)
  const letter = letters[(count + name.length) % letters.length]!
  return letter.length === 1 ? letter.repeat(length) : cut(letter, length)
}
