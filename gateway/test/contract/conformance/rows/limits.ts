/** The limits table. Most of its rows share their test with another row that names the same limit. */
import { createRows } from '../row.ts'

export const limitRows = createRows('Limits', 'limit', [
  ['token-lifetime', 'Token lifetime', '24 hours: valid a minute before, A001 a second after'],
  [
    'token-count',
    'Token issuance count',
    'no token ends because another is issued; too many requests are HTTP 429',
  ],
  ['batch', 'Reports per polling call', '1000 of 1001 waiting reports, and the last one in the next batch'],
  [
    'retention',
    'Retention of undelivered polling reports',
    '3 days: a minute less is polled, a minute more is not',
  ],
  ['inquiry', 'Inquiry age', '30 days: a minute less is found, a minute more is not'],
  ['recipients', 'Recipients per request', 'ten get a msgKey each, eleven are A318 and none of them is sent'],
  ['international', 'International text', '765 and 335 characters are accepted, one more is A328'],
  ['ref', 'ref', '200 characters on RCS and international sends, 201 are A305'],
  [
    'fallback',
    'RCS fallback',
    'text 2000 bytes, title 40 bytes, 3 fileKey and originCID of 9 digits together',
  ],
  ['footer', 'RCS footer', '100 characters are accepted, 101 are A412'],
  ['file-name', 'Image file name', '40 characters are accepted, 41 are A201'],
  ['image-mms', 'Image size', 'MMS 300 KB'],
  ['image-rcs', 'Image size', 'RCS 1 MB'],
  ['image-friendtalk', 'Image size', 'friendtalk 500 KB or 2 MB'],
  [
    'formats',
    'RCS and template text and button limits',
    'are those of the formatId table, also inside a flow',
  ],
])
