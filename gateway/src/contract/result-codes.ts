/**
 * Every result code the API answers with: its HTTP status, what it says, why it happens and what to do about it.
 * The server, the reference and the docs are made from this table. A code is a key of it, so an answer with an unknown
 * code does not compile.
 */
export type ResultCode = keyof typeof rows

export interface ResultCodeEntry {
  readonly code: ResultCode
  readonly status: number
  readonly result: string
  readonly cause: string
  readonly action: string
}

/** Result code of a wrong field, by the field's path. */
export type FieldCodes = Readonly<Record<string, ResultCode>>

type Row = readonly [status: number, result: string, cause: string, action: string]

const correct = 'Correct the field that the answer names.'
const askOperator = 'Ask the operator.'

const rows = {
  A000: [
    200,
    'Success',
    'The request was carried out; a send was accepted, not yet delivered.',
    'Keep the msgKey.',
  ],
  A001: [
    401,
    'Expired token',
    'The token is older than 24 hours.',
    'Ask for a new one: POST /v1/auth/token.',
  ],
  A002: [
    401,
    'Invalid token',
    'The token is missing, malformed, forged or revoked.',
    'Send Authorization: Bearer <token>.',
  ],
  A010: [400, 'Cannot parse JSON', 'The body is not JSON.', 'Send valid JSON in UTF-8.'],
  A011: [
    400,
    'JSON cannot be mapped',
    'The body is JSON of another shape, too deep or too large.',
    'Send one object as the reference shows.',
  ],
  A020: [429, 'Rate limit exceeded', 'The account sent more than its limit.', 'Wait as Retry-After says.'],
  A021: [
    400,
    'Idempotency-Key used before',
    'The account used the key within 24 hours for another path or body.',
    'Give every new request a key of its own.',
  ],
  A022: [
    503,
    'Request under way',
    'The first request with this Idempotency-Key is not answered yet.',
    'Send the same again as Retry-After says.',
  ],
  A100: [
    401,
    'Invalid authentication information',
    'The client id or the password is wrong.',
    'Check both headers.',
  ],
  A110: [403, 'Blocked account', 'The operator has blocked the account.', askOperator],
  A200: [
    400,
    'File too large',
    'The file exceeds the limit of its service, or the images of a carousel their limit together.',
    'Send a smaller file.',
  ],
  A201: [400, 'File name too long', 'The file name exceeds 40 characters.', 'Shorten it.'],
  A202: [400, 'Unusable file', 'The file is not an image that can be read.', 'Send a whole image.'],
  A203: [
    400,
    'Wrong resolution',
    'Width, height or their ratio does not fit the service, or the RCS format.',
    'Resize the image.',
  ],
  A204: [
    400,
    'No file',
    'There is no form part named file.',
    'Send multipart/form-data with a part named file.',
  ],
  A205: [
    400,
    'File type mismatch',
    'The content is not of the type that was claimed.',
    'Name and declare the file as what it is.',
  ],
  A206: [400, 'Wrong file format', 'The service does not take this image format.', 'Convert the image.'],
  A207: [
    400,
    'Wrong content disposition',
    'The form part is malformed.',
    'Send multipart/form-data as the reference shows.',
  ],
  A208: [400, 'Wrong file name', 'The form part has no usable file name.', 'Give a file name.'],
  A213: [
    400,
    'Wrong upload request',
    'The request is not an upload of one file.',
    'Send one part named file.',
  ],
  A214: [500, 'Upload failed', 'The file could not be stored.', 'Send it again.'],
  A217: [
    400,
    'Invalid fileKey',
    'The file is unknown, expired, another account’s or of another kind.',
    'Upload it again for this service.',
  ],
  A219: [400, 'Invalid serviceType', 'The first path segment is not a service that takes files.', correct],
  A220: [400, 'Invalid msgType', 'The second path segment does not belong to the service.', correct],
  A250: [
    400,
    'Invalid formId',
    'The form is unknown, expired or another account’s.',
    'Register the form again.',
  ],
  A300: [
    400,
    'Wrong request',
    'A field is unknown, missing or misplaced, or the path does not exist.',
    correct,
  ],
  A302: [400, 'Invalid from', 'The sender number is missing or malformed.', correct],
  A303: [400, 'Invalid text', 'The text is missing, or holds a character that cannot be sent.', correct],
  A304: [400, 'Invalid ttl', 'ttl is not a number of seconds in range.', correct],
  A305: [400, 'Invalid ref', 'ref exceeds 200 characters.', correct],
  A306: [400, 'Invalid to', 'The recipient is missing or malformed.', correct],
  A310: [400, 'Invalid paymentCode', 'paymentCode exceeds 20 characters.', correct],
  A312: [400, 'Invalid fallback.type', 'fallback.type is not SMS or MMS.', correct],
  A314: [400, 'Invalid fallback.text', 'fallback.text is missing or cannot be sent.', correct],
  A317: [400, 'Too many fallback.fileKey', 'More than 3 files.', correct],
  A318: [400, 'Too many destinations', 'More than 10 destinations.', 'Send several requests.'],
  A319: [400, 'Too many fileKey', 'More than 3 files.', correct],
  A321: [400, 'Not for international', 'title or fileKey on an international message.', correct],
  A325: [400, 'No right to the channel', 'The account may not use this channel.', askOperator],
  A326: [
    400,
    'No right to the fallback channel',
    'The account may not use the fallback’s channel.',
    askOperator,
  ],
  A327: [
    400,
    'Sender not registered',
    'The sender number is not registered for the account.',
    'Register the number.',
  ],
  A328: [
    400,
    'Text too long',
    'The text exceeds the limit of its channel.',
    'Shorten it, or choose a channel for longer texts.',
  ],
  A329: [
    400,
    'fallback.text too long',
    'The fallback text exceeds the limit of its type.',
    'Shorten it, or use type MMS.',
  ],
  A330: [
    400,
    'Cannot be cancelled',
    'No message of this key waits for its time: it is unknown, not scheduled, or released already.',
    'Look at its reports; a released message cannot be called back.',
  ],
  A331: [
    404,
    'Unknown message',
    'The account has no message of this key: never, not yet, or not any more.',
    'Check the key; one just sent may take a moment, and messages are kept for 30 days.',
  ],
  A404: [400, 'Invalid formatId', 'The format is unknown or does not fit the content.', correct],
  A406: [400, 'Invalid button', 'A button is malformed, or there are too many.', correct],
  A407: [400, 'Invalid copyAllowed', 'copyAllowed is not 0 or 1.', correct],
  A408: [400, 'Invalid expiryOption', 'expiryOption is not 1, 2, 3 or 4.', correct],
  A409: [400, 'Invalid groupId', 'groupId is malformed.', correct],
  A411: [400, 'Invalid header', 'header is not 0 or 1.', correct],
  A412: [400, 'Invalid footer', 'footer is missing with header 1, or too long.', correct],
  A413: [400, 'Invalid agencyId', 'agencyId is malformed.', correct],
  A415: [400, 'Invalid content', 'content is missing, or of the wrong kind for the format.', correct],
  A417: [400, 'Wrong number of cards', 'The carousel has another number of cards than its format.', correct],
  A418: [400, 'Invalid agencyKey', 'agencyKey is malformed.', correct],
  A419: [400, 'Invalid brandId', 'brandId is malformed.', correct],
  A420: [400, 'Invalid brandKey', 'brandKey is missing or malformed.', correct],
  A424: [400, 'Invalid subContent', 'Too many sub-infos, or one is malformed.', correct],
  A425: [400, 'Invalid buttons or body', 'body and content together, or buttons without body.', correct],
  A426: [400, 'Invalid button.type', 'The type is not one of the nine.', correct],
  A427: [400, 'Invalid button.name', 'The label is missing or too long for the format.', correct],
  A428: [400, 'Invalid URL button', 'A field of the button is missing or malformed.', correct],
  A429: [400, 'Invalid map button', 'A field of the button is missing or malformed.', correct],
  A430: [400, 'Invalid calendar button', 'A field of the button is missing or malformed.', correct],
  A431: [400, 'Invalid copy button', 'A field of the button is missing or malformed.', correct],
  A432: [400, 'Invalid text message button', 'A field of the button is missing or malformed.', correct],
  A433: [400, 'Invalid call message button', 'A field of the button is missing or malformed.', correct],
  A434: [400, 'Invalid dial button', 'A field of the button is missing or malformed.', correct],
  A502: [400, 'Invalid senderKey', 'senderKey is missing or malformed.', correct],
  A503: [400, 'Invalid button', 'A button is malformed, or there are too many.', correct],
  A505: [400, 'Invalid templateCode', 'templateCode is missing or malformed.', correct],
  A506: [400, 'Invalid adFlag', 'adFlag is not Y or N, or must be Y for this type.', correct],
  A513: [400, 'Invalid image', 'The image is missing or malformed.', correct],
  A521: [400, 'Invalid item', 'The item list is malformed.', correct],
  A523: [400, 'Invalid msgType', 'msgType is not one of the channel’s.', correct],
  A524: [400, 'Invalid button.type', 'The type is not one of the channel’s.', correct],
  A525: [400, 'Invalid button.name', 'The label is missing or too long.', correct],
  A559: [400, 'Invalid price', 'price or currencyType is malformed.', correct],
  A560: [400, 'Invalid itemHighlight', 'itemHighlight is malformed or too long.', correct],
  A561: [400, 'Invalid summary', 'summary is malformed or too long.', correct],
  A562: [400, 'Invalid quickReply', 'A quick reply is malformed, or there are too many.', correct],
  A563: [400, 'Invalid quickReply.type', 'The type is not one of the channel’s.', correct],
  A564: [400, 'Invalid quickReply.name', 'The label is missing or too long.', correct],
  A565: [400, 'Invalid header', 'header is missing or too long.', correct],
  A567: [400, 'Invalid carousel', 'The carousel is malformed.', correct],
  A568: [400, 'Invalid FC or FA', 'The carousel does not fit its type.', correct],
  A569: [400, 'Invalid adult', 'adult is not Y or N.', correct],
  A570: [400, 'Invalid targeting', 'targeting is missing or not one of the values.', correct],
  A571: [400, 'Invalid sendType', 'sendType is not basic or free.', correct],
  A573: [400, 'Invalid attachment', 'attachment is malformed or does not fit the type.', correct],
  A802: [403, 'No permission to Pull API', 'The account may not poll.', askOperator],
  A805: [
    400,
    'Invalid Report ID(Pull API)',
    'The account holds no batch of that id.',
    'Poll again and delete the reportId it gives.',
  ],
  A850: [
    400,
    'Invalid webhookId',
    'The webhook is unknown or another account’s.',
    'List yours: GET /v1/webhook.',
  ],
  A851: [
    400,
    'Invalid url',
    'The URL of the webhook is malformed, or does not lead to the public network.',
    'Give a public http or https URL without user name and password.',
  ],
  A852: [400, 'Too many webhooks', 'The account has 20 webhooks.', 'Delete one, or change one by PUT.'],
  A853: [400, 'Invalid webhook setting', 'A setting is of another kind or out of its range.', correct],
  A854: [
    400,
    'Invalid replay',
    'It names no report of the account, or a time more than 3 days ago.',
    'Name one of msgKey, failedSince and allSince; older reports are there by inquiry.',
  ],
  A806: [
    400,
    'Invalid cursor',
    'The cursor is malformed, or of another account.',
    'Give one that the stream answered, or begin without one.',
  ],
  A807: [
    400,
    'Invalid consumer',
    'The name of the consumer is malformed, or the account has as many as it may.',
    'Name it as the answer says, or use one that exists.',
  ],
  A920: [503, 'Service busy', 'An engine behind the API is away.', 'Send it again as Retry-After says.'],
  A999: [500, 'Unknown error', 'A fault of the gateway.', 'Send it again; tell the operator if it stays.'],
} satisfies Record<string, Row>

/** In the order of the table. */
export const resultCodes = Object.fromEntries(
  Object.entries(rows).map(([code, [status, result, cause, action]]) => [
    code,
    { code, status, result, cause, action },
  ]),
) as Readonly<Record<ResultCode, ResultCodeEntry>>

/** For codes that come from outside, such as a parsed answer. */
export function isResultCode(code: string): code is ResultCode {
  return Object.hasOwn(resultCodes, code)
}
