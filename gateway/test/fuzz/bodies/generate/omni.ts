/**
 * Generates valid flows of one to six steps to one to ten destinations, with placeholders and words for them.
 */
import fc from 'fast-check'
import { alimtalkEntry, brandmessageEntry, friendtalkEntry } from './kakao.ts'
import { mmsEntry, smsEntry } from './plain.ts'
import { rcsEntry } from './rcs.ts'
import { fields, many, recipient, ref, words } from './values.ts'

const entries: Readonly<Record<string, fc.Arbitrary<Record<string, unknown>>>> = {
  sms: smsEntry,
  mms: mmsEntry,
  rcs: rcsEntry,
  alimtalk: alimtalkEntry,
  friendtalk: friendtalkEntry,
  brandmessage: brandmessageEntry,
}
const keys = ['name', '이름', 'a.b', 'no 1', '__key']

/** Replaces a few characters in one text of some steps with `#{key}`. */
const entry = fc
  .tuple(
    fc.oneof(...Object.entries(entries).map(([name, content]) => fc.tuple(fc.constant(name), content))),
    fc.option(fc.constantFrom(...keys), { nil: null }),
    fc.nat(50),
  )
  .map(([[name, content], key, at]) => ({ [name]: key === null ? content : withHole(content, key, at) }))

const textFields = ['text', 'title', 'description', 'message', 'header']

function withHole(content: Record<string, unknown>, key: string, at: number): Record<string, unknown> {
  const copy = structuredClone(content)
  const places = textsIn(copy)
  const place = places[at % Math.max(1, places.length)]
  if (place === undefined) return copy
  const text = place.holder[place.name] as string
  const start = at % (text.length - 3)
  place.holder[place.name] = `${text.slice(0, start)}#{${key}}${text.slice(start + 3)}`
  return copy
}

interface TextPlace {
  readonly holder: Record<string, unknown>
  readonly name: string
}

function textsIn(value: unknown, found: TextPlace[] = []): TextPlace[] {
  if (typeof value !== 'object' || value === null) return found
  const holder = value as Record<string, unknown>
  for (const [name, inner] of Object.entries(holder)) {
    if (typeof inner !== 'string') textsIn(inner, found)
    else if (textFields.includes(name) && inner.length >= 4) found.push({ holder, name })
  }
  return found
}

const word = fc.oneof(fc.constantFrom('가', 'abc', '', '1', '#{name}', '홍길동'), words(5))
const destination = fields(
  { to: recipient, replaceWords: fc.record(Object.fromEntries(keys.map((key) => [key, word]))) },
  ['to', 'replaceWords'],
)

export const omni = fields(
  { destinations: many(destination, 1, 10), messageFlow: many(entry, 1, 6), paymentCode: words(20), ref },
  ['destinations', 'messageFlow'],
)
