/** Endpoints without the formatId table, which is in formats.ts. Each row has an id, a name and the proven statement. */
import { createRows } from '../row.ts'
import { omniObjectRows } from './omni-objects.ts'

const at = (endpoint: string): string => `Endpoints · ${endpoint}`

const answer = ['answer', 'success', 'has code, result, msgKey and ref'] as const

export const endpointRows = [
  ...createRows(at('all'), 'all', [
    [
      'authorization',
      'Authorization',
      'is required by every endpoint except token issuance; missing is A002',
    ],
    ['accept', 'Accept', 'application/json is answered with application/json'],
    [
      'content-type',
      'Content-Type',
      'application/json is accepted on sends and on polling, another type on sends is 415',
    ],
    ['response', 'response Content-Type', 'is application/json in every response, of success and of error'],
  ]),
  ...createRows(at('POST /v1/auth/token'), 'auth', [
    ['id', 'X-SVC-Client-Id', 'names the account; missing or unknown is A100'],
    ['password', 'X-SVC-Client-Passwd', 'is the password of the account; missing or wrong is A100'],
    ['accept', 'Accept', 'application/json is answered with application/json, whatever its spelling'],
    ['body', 'body', 'is not needed: none, an empty one and null are accepted'],
    ['answer', 'success', 'needs no body and gives code, result and data of schema, expired and token'],
  ]),
  ...createRows(at('GET /v1/report/polling'), 'polling', [
    ['answer', 'success', 'gives code, result and data of reportId and report'],
    [
      'plain',
      'success',
      'has records of exactly the keys of the contract for an account with plain report keys',
    ],
    ['empty', 'nothing to deliver', 'gives an empty reportId and an empty report'],
  ]),
  ...createRows(at('DELETE /v1/report/polling/{reportId}'), 'processing', [
    ['reportId', 'reportId', 'is required in the path'],
    ['answer', 'success', 'has only code and result'],
  ]),
  ...createRows(at('GET /v1/report/inquiry/{msgKey}'), 'inquiry', [
    ['msgKey', 'msgKey', 'is required in the path; an unknown key or one of another account finds nothing'],
    ['age', 'age', 'finds reports up to 30 days old and none that are older'],
    ['answer', 'success', 'gives code, result and data of report, whether or not it was polled before'],
    [
      'plain',
      'success',
      'has records of exactly the keys of the contract for an account with plain report keys',
    ],
  ]),
  ...createRows(at('POST /v1/send/alimtalk'), 'alimtalk', [
    ['senderKey', 'senderKey', 'is a string of up to 40 characters; missing, longer or a number is A502'],
    ['msgType', 'msgType', 'is AT or AI; any other is A523'],
    ['to', 'to', 'is a Korean number in every usual form; missing or letters is A306'],
    ['templateCode', 'templateCode', 'is a string of up to 50 characters; missing or longer is A505'],
    ['text', 'text', 'has up to 1000 characters; missing is A303, longer is A328'],
    ['ref', 'ref', 'has up to 200 characters and is returned; longer is A305'],
    answer,
  ]),
  ...createRows(at('POST /v1/send/friendtalk'), 'friendtalk', [
    ['senderKey', 'senderKey', 'is a string of up to 40 characters; missing, longer or a number is A502'],
    ['msgType', 'msgType', 'is FT, FI or FW, the latter two with an image; any other is A523'],
    ['to', 'to', 'is a Korean number in every usual form; missing or letters is A306'],
    [
      'text',
      'text',
      'has up to 1000 characters with FT, 400 with FI, 76 with FW; longer is A328, missing A303',
    ],
    ['ref', 'ref', 'has up to 200 characters and is returned; longer is A305'],
    answer,
  ]),
  ...createRows(at('POST /v1/send/international'), 'international', [
    ['from', 'from', 'is required, digits in domestic form or a text Sender ID; anything else is A302'],
    ['to', 'to', 'is required, with + and country code; a domestic number is A306'],
    [
      'text',
      'text',
      'is required and has at most 5 parts; missing is A303, 2000 and 2001 characters are A328',
    ],
    ['ref', 'ref', 'may be left out, has up to 200 characters and is returned; longer is A305'],
    answer,
  ]),
  ...createRows(at('POST /v1/send/rcs'), 'rcs', [
    [
      'content',
      'content',
      'is an object, and one of content and body is required: none and both are A415; empty beside body is accepted',
    ],
    [
      'kinds',
      'content kinds',
      'are standalone, carousel and template; one that does not match the formatId is A415 or A404',
    ],
    ['body', 'body', 'is an object, accepted instead of content; a string is A425'],
    ['buttons', 'buttons', 'are accepted with body, and rejected with content (A425)'],
    ['from', 'from', 'is required, digits only; anything else is A302'],
    [
      'to',
      'to',
      'is required, a Korean number in every usual form, with hyphens, 82 or +82; anything else is A306',
    ],
    ['formatId', 'formatId', 'is required: one of the formats or a template ID; anything else is A404'],
    ['brandKey', 'brandKey', 'is required; missing is A420'],
    ['brandId', 'brandId', 'may be given as a string; a number is A419'],
    ['expiryOption-default', 'expiryOption', 'is 1 by default, 24 hours'],
    ['expiryOption-1', 'expiryOption', '1 is a deadline of 24 hours'],
    ['expiryOption-2', 'expiryOption', '2 is a deadline of 40 seconds'],
    ['expiryOption-3', 'expiryOption', '3 is a deadline of 3 minutes 10 seconds'],
    ['expiryOption-4', 'expiryOption', '4 is a deadline of 1 hour'],
    ['expiryOption-other', 'expiryOption', 'rejects any other value (A408)'],
    ['header', 'header', 'is 0 by default and 1 with a footer; 1 without footer is A412, another value A411'],
    ['footer', 'footer', 'has up to 100 characters; longer is A412'],
    ['ref', 'ref', 'may be left out, has up to 200 characters and is returned; longer is A305'],
    ['fallback', 'fallback', 'is sent when the RCS message fails, and not when it is delivered'],
    answer,
  ]),
  ...createRows(at('POST /v1/send/rcs · fallback'), 'fallback', [
    ['type', 'type', 'is required, SMS or MMS, and decides what is sent; missing or another is A312'],
    ['text', 'text', 'is required, at most 2000 bytes, two for a syllable; missing is A314, longer is A329'],
    ['title', 'title', 'has at most 40 bytes, two for a syllable; longer is A300'],
    ['fileKey', 'fileKey', 'has at most 3 uploaded keys; a fourth is A317, an unknown one A217'],
    ['originCID', 'originCID', 'is 9 digits; fewer, more or letters are rejected (A300)'],
  ]),
  ...createRows(at('POST /v1/send/omni'), 'omni', [
    [
      'messageFlow',
      'messageFlow',
      'is a list, sent in its order: the next is sent when the one before has failed',
    ],
    ['messageFlow-stop', 'messageFlow', 'ends with the first message that is delivered'],
    [
      'messageFlow-channel',
      'messageFlow',
      'accepts one channel object an entry: none, two or an unknown one is A300',
    ],
    ['sms', 'messageFlow · sms', 'carries from and text; without one it is A302 or A303'],
    ['mms', 'messageFlow · mms', 'carries from, text, title and fileKey'],
    ['rcs', 'messageFlow · rcs', 'carries content, from, formatId and brandKey as in the RCS send'],
    ['alimtalk', 'messageFlow · alimtalk', 'carries the fields of the alimtalk send'],
    ['friendtalk', 'messageFlow · friendtalk', 'carries the fields of the friendtalk send'],
    ['destinations', 'destinations', 'are at most 10: ten are accepted, eleven are A318, none is A306'],
    ['ref', 'ref', 'has up to 200 characters and is returned; longer is A305'],
    ['answer', 'success', 'has code, result, data of destinations, and ref'],
    ['separate', 'separate results', 'only the wrong destination fails, under a top-level A000'],
    ['form', 'two ways to send', 'accepts a registered form instead of the flow'],
    ['originCID', 'originCID', 'is accepted on messages as 9 digits; anything else is rejected (A300)'],
    [
      'objects',
      'optional objects',
      'are passed on: attachment, item, list, summary, itemHighlight, supplement, quickReply, image, button',
    ],
  ]),
  ...omniObjectRows,
  ...createRows(at('POST /v1/file/{serviceType}/{msgType}'), 'upload', [
    ['content-type', 'Content-Type', 'is multipart/form-data; any other and none are A213'],
    ['part', 'form part', 'is named file; another name is A213, an empty file is A204'],
    [
      'path',
      'path',
      'has the service and, optionally for MMS and RCS, the msgType; unknown ones are A219 and A220',
    ],
    ['answer', 'success', 'gives code, result and data with fileKey and expired'],
    ['name', 'file name', 'has at most 40 characters of any script: 40 are accepted, 41 are A201'],
    [
      'reuse',
      'reuse',
      'accepts the same file by fileKey or image URL in several sends, and rejects it once expired (A217)',
    ],
  ]),
  ...createRows(at('POST /v1/file/{serviceType}/{msgType} · image requirements'), 'image', [
    ['mms-formats', 'MMS', 'accepts jpg (jpeg); png, gif and bmp are A206'],
    ['mms-size', 'MMS', 'accepts 1500x1440; 1501 wide or 1441 high is A203'],
    ['mms-bytes', 'MMS', 'accepts 300 KB; one byte more is A200'],
    ['rcs-formats', 'RCS', 'accepts jpg, bmp, png and gif; anything else is A206'],
    [
      'rcs-size',
      'RCS',
      'accepts the size of any layout at upload; what does not fit the formatId is A203 at send',
    ],
    ['rcs-bytes', 'RCS', 'accepts 1 MB; one byte more is A200'],
    ['friendtalk-formats', 'Friendtalk', 'accepts jpg and png; gif and bmp are A206'],
    [
      'friendtalk-image',
      'Friendtalk',
      'image: accepts 500 wide, 2:1 and 3:4; narrower, wider or taller is A203',
    ],
    ['friendtalk-wide', 'Friendtalk', 'wide image: accepts 800x600 and no other size (A203)'],
    ['friendtalk-list', 'Friendtalk', 'wide item list image: accepts 400x400 to 800x400; beyond is A203'],
    ['friendtalk-carousel', 'Friendtalk', 'carousel image: accepts 500 wide, 2:1 and 3:4; beyond is A203'],
    ['friendtalk-bytes', 'Friendtalk', 'plain: accepts 500 KB; one byte more is A200'],
    ['friendtalk-large', 'Friendtalk', 'wide, item list and carousel: accept 2 MB; one byte more is A200'],
  ]),
]
