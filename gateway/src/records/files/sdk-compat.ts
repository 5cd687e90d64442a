/**
 * Deviations of published SDKs from the contract that uploads accept:
 * - path segments in another case, with spaces around them (`carouselCommerce%20`), or misspelled;
 * - a missing kind from SDKs that send only one segment, or a kind where the service has only one;
 * - `middle`, `end`, `done` for the items of a wide list after the first;
 * - the type `image/jpeg` from an SDK that names every upload `image.jpg`.
 */
import type { ServiceType } from './file.ts'

const spellings: Readonly<Record<string, string>> = { defalut: 'default' }

/** Normalizes a path segment for comparison. */
export function normalizeSegment(segment: string): string {
  const name = segment.trim().toLowerCase()
  return spellings[name] ?? name
}

/** Maps other normalized paths after the service to their kind, by service. */
export const kindAliases: Readonly<Record<ServiceType, Readonly<Record<string, string>>>> = {
  MMS: { mm: '' },
  RCS: { rm: '', rc: '', ri: '' },
  FRIENDTALK: { '': 'FI' },
  BRANDMESSAGE: {
    '': 'default',
    'wideitemlist/middle': 'wideItemList',
    'wideitemlist/end': 'wideItemList',
    'wideitemlist/done': 'wideItemList',
  },
}

/** Types that do not declare a format; text/plain is the default for a part without a type. */
const undeclaredTypes = new Set([
  '',
  '*/*',
  'application/octet-stream',
  'binary/octet-stream',
  'image/*',
  'multipart/form-data',
  'text/plain',
])

/** Reports whether the content type of the part declares the format of the file. */
export function declaresFormat(contentType: string, fileName: string): boolean {
  return !undeclaredTypes.has(contentType) && fileName !== 'image.jpg'
}
