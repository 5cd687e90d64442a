/**
 * What published SDKs send and the contract does not say, all in one place:
 * - words of the path in another case, with spaces around them (`carouselCommerce%20`), or misspelt;
 * - a kind left out by SDKs that only ever send one segment, or given where the service has one kind of image;
 * - `middle`, `end`, `done` for the items of a wide list after the first;
 * - a claim that a file is `image/jpeg` by an SDK that names every upload `image.jpg`.
 */
import type { ServiceType } from './file.ts'

const spellings: Readonly<Record<string, string>> = { defalut: 'default' }

/** The form in which words of the path are compared. */
export function plainWord(segment: string): string {
  const word = segment.trim().toLowerCase()
  return spellings[word] ?? word
}

/** By service: the kind meant by other words of the path. */
export const otherKinds: Readonly<Record<ServiceType, Readonly<Record<string, string>>>> = {
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

/** Types that clients give to a part without meaning anything by it; text/plain is assumed where none is given. */
const noClaims = new Set([
  '',
  '*/*',
  'application/octet-stream',
  'binary/octet-stream',
  'image/*',
  'multipart/form-data',
  'text/plain',
])

/** Whether the type of the part is the client's word for what the file is. */
export function isClaim(contentType: string, fileName: string): boolean {
  return !noClaims.has(contentType) && fileName !== 'image.jpg'
}
