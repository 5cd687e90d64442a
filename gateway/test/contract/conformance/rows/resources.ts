import { createRows } from '../row.ts'

const of = (resource: string): string => `Resources · ${resource}`

export const resourceRows = [
  ...createRows(of('Token'), 'token', [
    ['schema', 'schema', 'is the word Bearer, a string'],
    ['expired', 'expired', 'is ISO 8601 with an offset, 24 hours ahead'],
    ['token', 'token', 'is an opaque string that other calls accept'],
  ]),
  ...createRows(of('Result envelope'), 'envelope', [
    ['code', 'code', 'is a string of four characters in every answer, of success and of error'],
    ['result', 'result', 'is a string that is not empty in every answer'],
    ['data', 'data', 'is an object in token, polling, inquiry, upload and omni answers, and in no other'],
    [
      'msgKey',
      'msgKey',
      'is 32 characters of digits and capitals in the answer of every single-message send',
    ],
    ['ref', 'ref', 'is the value of the request in every send answer, up to 200 characters'],
  ]),
  ...createRows(of('Report batch'), 'batch', [
    ['reportId', 'reportId', 'names the batch, and is empty when there is nothing to deliver'],
    ['report', 'report', 'is a list of records, and empty when there is nothing to deliver'],
  ]),
  ...createRows(of('Report record'), 'record', [
    ['msgKey', 'msgKey', 'is the key that the send answered, in polling and inquiry'],
    ['serviceType', 'serviceType', 'is a string that names the channel, for every channel'],
    ['msgType', 'msgType', 'is a string of two letters that names the kind of message, for every channel'],
    ['sendTime', 'sendTime', 'is ISO 8601 with an offset, not before the request'],
    ['reportTime', 'reportTime', 'is ISO 8601 with an offset, not before sendTime'],
    ['reportType', 'reportType', 'is a string'],
    [
      'reportCode',
      'reportCode',
      'is 10000 for a delivered message and the code of its cause for a failed one',
    ],
    ['reportText', 'reportText', 'is a string that describes the outcome of the message'],
    [
      'carrier',
      'carrier',
      'is the mobile carrier that the receipt names, else that of the range of the number, else 10000',
    ],
    ['resCnt', 'resCnt', 'is the number of parts as a string, only for accounts that have it switched on'],
    [
      'userType',
      'userType',
      'is F or N in the inquiry about a basic brand message when the carrier reports it; never in polling nor for others',
    ],
    ['ref', 'ref', 'is what the client gave at send time, in polling and inquiry'],
  ]),
  ...createRows(of('Uploaded image file'), 'file', [
    ['fileKey', 'fileKey', 'is a string that a send accepts'],
    ['expired', 'expired', 'has the pattern yyyy-MM-dd HH:mm:ss and lies ahead'],
  ]),
  ...createRows(of('Destination'), 'destination', [
    [
      'to',
      'to',
      'is the recipient: a Korean number in every usual form is accepted, letters are rejected for that destination (A306)',
    ],
    [
      'replaceWords',
      'replaceWords',
      'fills #{key} in text and title, and the recipient gets the filled text',
    ],
    ['replaceWords-buttons', 'replaceWords', 'fills #{key} in buttons as well'],
    [
      'replaceWords-missing',
      'replaceWords',
      'without a value for a placeholder fails only its destination (A303); a value that is an object fails the request (A300)',
    ],
    [
      'answer',
      'response side',
      'has to, msgKey, code and result, all strings; with full report keys a failed one has acceptance as well',
    ],
    ['answer-to', 'response side · to', 'is the recipient as the request wrote it'],
    [
      'answer-msgKey',
      'response side · msgKey',
      'is unique and that of the reports; empty for a failed destination',
    ],
    [
      'answer-code',
      'response side · code',
      'has four characters: A000, or the code of the failed destination',
    ],
    ['answer-result', 'response side · result', 'is Success, or describes why the destination failed'],
  ]),
]
