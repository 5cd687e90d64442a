/**
 * Normalizes a client's message and its durable form, so that they can be compared: removes empty values,
 * normalizes texts as they are sent, and corrects misspelled names of published SDKs.
 */
import { isFields } from './fields.ts'
import { normalizeText } from './text.ts'

const correctNames: Readonly<Record<string, string>> = {
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
const correctNamesInTail: Readonly<Record<string, string>> = { ...correctNames, title: 'urlPc' }

export function toCanonical(value: unknown, parentKey = ''): unknown {
  if (typeof value === 'string') return normalizeText(value)
  // JSON has no infinity: some parsers read 1e400 as infinity, others as null, so both count as null.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map((item) => toCanonical(item, parentKey))
  if (!isFields(value)) return value
  const names = parentKey === 'tail' ? correctNamesInTail : correctNames
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const content = toCanonical(inner, key)
    return isNothing(content) ? [] : [[Object.hasOwn(names, key) ? names[key]! : key, content]]
  })
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)))
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

export function hasSameContent(left: unknown, right: unknown): boolean {
  return JSON.stringify(toCanonical(left)) === JSON.stringify(toCanonical(right))
}
