/**
 * One form for what a client sent and for what became durable of it, so that the two can be compared: without
 * what counts as not given, texts as they are sent, misspelled names of published SDKs as they are meant.
 */
import { isFields } from './fields.ts'
import { normal } from './text.ts'

const meant: Readonly<Record<string, string>> = {
  addtionalContent: 'additionalContent',
  addtioaddtionalContent: 'additionalContent',
  adults: 'adult',
  copyAllow: 'copyAllowed',
  urlPC: 'urlPc',
  schemeIOS: 'schemeIos',
  subUrl: 'subMediaUrl',
  SubTitle: 'subTitle',
  SubDesc: 'subDesc',
  SubMedia: 'subMedia',
  SubMediaUrl: 'subMediaUrl',
  Label: 'label',
  Latitude: 'latitude',
  Longitude: 'longitude',
  FallbackUrl: 'fallbackUrl',
  Query: 'query',
  Text: 'text',
  PhoneNumber: 'phoneNumber',
}
const meantInTail: Readonly<Record<string, string>> = { ...meant, title: 'urlPc' }

export function canonical(value: unknown, place = ''): unknown {
  if (typeof value === 'string') return normal(value)
  // JSON has no infinity: 1e400 is one for a reader and null for the next.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map((item) => canonical(item, place))
  if (!isFields(value)) return value
  const names = place === 'tail' ? meantInTail : meant
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const content = canonical(inner, key)
    return isNothing(content) ? [] : [[Object.hasOwn(names, key) ? names[key]! : key, content]]
  })
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)))
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

export function sameContent(left: unknown, right: unknown): boolean {
  return JSON.stringify(canonical(left)) === JSON.stringify(canonical(right))
}
