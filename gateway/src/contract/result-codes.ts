/**
 * Every result code of the API: its HTTP status, its meaning, its cause and what to do about it. The server, the
 * reference, the client and the pages of codes use this table; `result-codes-ko.ts` has its texts in Korean. A code is a
 * key of the table, so a response with an unknown code does not compile.
 */
export type ResultCode = keyof typeof rows

export interface ResultCodeText {
  readonly cause: string
  /** The next action. */
  readonly action: string
}

export interface ResultCodeEntry extends ResultCodeText {
  readonly code: ResultCode
  readonly status: number
  readonly result: string
}

/** Result code of a wrong field, by the field's path. */
export type FieldCodes = Readonly<Record<string, ResultCode>>

type Row = readonly [status: number, result: string, cause: string, action: string]

const correct = 'Correct the field named in the response.'
const askOperator = 'Contact the operator.'
const nothing = 'Nothing.'

const rows = {
  A000: [
    200,
    'Success',
    'The request succeeded. A send has been accepted, not yet delivered.',
    'Store the msgKey: reports carry it.',
  ],
  A001: [
    401,
    'Expired token',
    'The token is older than 24 hours, or the password or key it was made from has expired.',
    'Request a new token: POST /v1/auth/token.',
  ],
  A002: [
    401,
    'Invalid token',
    'The token or key is missing, malformed, forged, revoked or of another cell.',
    'Send Authorization: Bearer <token>.',
  ],
  A010: [400, 'Cannot parse JSON', 'The body is not JSON.', 'Send valid JSON in UTF-8.'],
  A011: [
    400,
    'JSON cannot be mapped',
    'The body is JSON, but not an object, too deeply nested or too large.',
    'Send one object as described in the reference.',
  ],
  A020: [
    429,
    'Rate limit exceeded',
    'The account exceeded its rate limit, or sends faster than messages can be recorded and is above its fair share.',
    'Retry after the time in Retry-After.',
  ],
  A021: [
    400,
    'Idempotency-Key used before',
    'The account used this key within the last 24 hours with a different path or body; within ten minutes when nothing was accepted.',
    'Use a new key for every new request.',
  ],
  A022: [
    503,
    'Request in progress',
    'The first request with this Idempotency-Key is still being processed.',
    'Retry the same request after the time in Retry-After.',
  ],
  A100: [
    401,
    'Invalid authentication information',
    'The client id or the password is incorrect, or the password or key has expired.',
    'Check both credential headers.',
  ],
  A110: [403, 'Blocked account', 'The operator has blocked the account.', askOperator],
  A113: [
    403,
    'Not permitted',
    'The key is not allowed for this operation, or not from this address.',
    'Use a key with the scope or the network named in the result, or contact the operator.',
  ],
  A200: [
    400,
    'File too large',
    'The file exceeds the size limit of its service, or the images of a carousel exceed their total limit.',
    'Send a smaller file.',
  ],
  A201: [400, 'File name too long', 'The file name exceeds 40 characters.', 'Shorten the file name.'],
  A202: [400, 'Unusable file', 'The file is not a readable image.', 'Send a complete image.'],
  A203: [
    400,
    'Wrong resolution',
    'Width, height or aspect ratio is not allowed by the service or the RCS format.',
    'Resize the image.',
  ],
  A204: [
    400,
    'No file',
    'The request has no form part named file.',
    'Send multipart/form-data with a part named file.',
  ],
  A205: [
    400,
    'File type mismatch',
    'The content of the file does not match its declared type.',
    'Use the file name extension and Content-Type of the actual format.',
  ],
  A206: [400, 'Wrong file format', 'The service does not accept this image format.', 'Convert the image.'],
  A207: [
    400,
    'Wrong content disposition',
    'The form part has no name.',
    'Send multipart/form-data as described in the reference.',
  ],
  A208: [400, 'Wrong file name', 'The form part has no usable file name.', 'Set a file name.'],
  A213: [
    400,
    'Wrong upload request',
    'The request is not an upload of one file.',
    'Send one part named file.',
  ],
  A214: [500, 'Upload failed', 'The file could not be stored.', 'Retry the upload.'],
  A217: [
    400,
    'Invalid fileKey',
    'The file is unknown, has expired, belongs to another account or was uploaded for another service.',
    'Upload the file again for this service.',
  ],
  A219: [400, 'Invalid serviceType', 'The first path segment is not a service that accepts files.', correct],
  A220: [400, 'Invalid msgType', 'The second path segment does not belong to the service.', correct],
  A250: [
    400,
    'Invalid formId',
    'The form is unknown, has expired or belongs to another account.',
    'Register the form again.',
  ],
  A300: [
    400,
    'Wrong request',
    'A field is unknown, missing or misplaced, or the path does not exist.',
    correct,
  ],
  A302: [400, 'Invalid from', 'The sender number is missing or malformed.', correct],
  A303: [400, 'Invalid text', 'The text is missing or contains a character that cannot be sent.', correct],
  A304: [400, 'Invalid ttl', 'ttl is not a number of seconds in range.', correct],
  A305: [400, 'Invalid ref', 'ref exceeds 200 characters.', correct],
  A306: [400, 'Invalid to', 'The recipient is missing or malformed.', correct],
  A310: [400, 'Invalid paymentCode', 'paymentCode exceeds 20 characters.', correct],
  A312: [400, 'Invalid fallback.type', 'fallback.type is not SMS or MMS.', correct],
  A314: [400, 'Invalid fallback.text', 'fallback.text is missing or cannot be sent.', correct],
  A317: [400, 'Too many fallback.fileKey', 'The list has more than 3 files.', correct],
  A318: [
    400,
    'Too many destinations',
    'The request has more than 10 destinations.',
    'Split it into several requests.',
  ],
  A319: [400, 'Too many fileKey', 'The list has more than 3 files.', correct],
  A321: [400, 'Not for international', 'An international message has a title or a fileKey.', correct],
  A322: [
    400,
    'Text not allowed',
    'The text has something that it must not have, or a link to a domain that the account is not allowed to use.',
    'Change the text as the result says; ask the operator to register the domain of a link.',
  ],
  A323: [400, 'Sender blocked', 'The operator has blocked the sender for the account.', askOperator],
  A324: [
    400,
    'Recipient opted out',
    'The recipient does not want advertisements of the account, or has not agreed to them.',
    'Remove the recipient from the list of this advertisement.',
  ],
  A325: [400, 'Channel not allowed', 'No request causes it: every account may use every channel.', nothing],
  A326: [
    400,
    'Fallback channel not allowed',
    'No request causes it: every account may use every channel as a fallback.',
    nothing,
  ],
  A327: [
    400,
    'Sender not registered',
    'The sender is not registered for the account, not approved or past its end: a number, RCS brand or chatbot, Kakao sender key or template.',
    'Ask the operator of the service to register it; the response names the field and the state.',
  ],
  A328: [
    400,
    'Text too long',
    'The text exceeds the limit of its channel.',
    'Shorten the text, or use a channel for longer texts.',
  ],
  A329: [
    400,
    'fallback.text too long',
    'The fallback text exceeds the limit of its type.',
    'Shorten the text, or use type MMS.',
  ],
  A330: [
    400,
    'Cannot be cancelled',
    'No scheduled message with this msgKey is waiting: it is unknown, was not scheduled or has already been released.',
    'Check its reports. A released message cannot be cancelled.',
  ],
  A331: [
    404,
    'Unknown message',
    'The account has no message with this msgKey: it never existed, is not recorded yet or is past its retention.',
    'Check the msgKey. A message just sent may take a moment to appear; messages are kept for 30 days.',
  ],
  A340: [
    400,
    'Wrong form of an advertisement',
    'An advertisement lacks what the law demands of it, such as the mark (광고) at the beginning or the free opt-out at the end, or has it in another form.',
    'Correct the text as the result says.',
  ],
  A341: [
    400,
    'Advertisement in quiet hours',
    'The advertisement would be sent in hours in which none may be sent.',
    'Send it, or schedule it with sendAt, within the hours named in the result, or add a fallback that is no advertisement.',
  ],
  A342: [
    400,
    'Country not enabled',
    'The country of the recipient is closed for the account. A new account has no open country.',
    'Ask the operator to add it to the countries of the account, then send again.',
  ],
  A343: [
    400,
    'Cap reached',
    'The account has sent as much as it may in this day or month.',
    'Wait for the next day or month, or ask the operator for a higher cap.',
  ],
  A344: [
    400,
    'Too many to one recipient',
    'The account sends too much to one recipient, or to recipients with one prefix.',
    'Send less often; contact the operator if it is legitimate.',
  ],
  A345: [
    400,
    'Codes are not used',
    'Few of the one-time codes that the account sent to this country were used.',
    'Check who makes your service send codes; contact the operator if they are legitimate.',
  ],
  A350: [
    404,
    'Unknown batch',
    'The account has no batch with this batchId: it never existed, or was deleted.',
    'Check the batchId, or list your batches: GET /v1/batch.',
  ],
  A351: [
    400,
    'Not possible now',
    'The state of the batch does not allow the request, or it has no recipients yet.',
    'Read the state of the batch, which the result names.',
  ],
  A352: [
    400,
    'Batch limit reached',
    'The account has too many batches that have not ended, or the batch has too many lines.',
    'Wait for a batch to end, or cancel one; upload further lines to another batch.',
  ],
  A353: [
    400,
    'Batch storage full',
    'The batches of the account occupy as much as they may, in all states.',
    'Cancel a batch, which drops its recipients, wait until old ones are deleted, or ask the operator for more.',
  ],
  A404: [400, 'Invalid formatId', 'The format is unknown or does not fit the content.', correct],
  A406: [400, 'Invalid button', 'A button is malformed, or there are too many.', correct],
  A407: [400, 'Invalid copyAllowed', 'copyAllowed is not 0 or 1.', correct],
  A408: [400, 'Invalid expiryOption', 'expiryOption is not 1, 2, 3 or 4.', correct],
  A409: [400, 'Invalid groupId', 'groupId is malformed.', correct],
  A411: [400, 'Invalid header', 'header is not 0 or 1.', correct],
  A412: [400, 'Invalid footer', 'footer is missing with header 1, or too long.', correct],
  A413: [400, 'Invalid agencyId', 'agencyId is malformed.', correct],
  A415: [400, 'Invalid content', 'content is missing, or its kind does not match the format.', correct],
  A417: [400, 'Wrong number of cards', 'The number of cards does not match the format.', correct],
  A418: [400, 'Invalid agencyKey', 'agencyKey is malformed.', correct],
  A419: [400, 'Invalid brandId', 'brandId is malformed.', correct],
  A420: [400, 'Invalid brandKey', 'brandKey is missing or malformed.', correct],
  A424: [400, 'Invalid subContent', 'There are too many sub-infos, or one is malformed.', correct],
  A425: [
    400,
    'Invalid buttons or body',
    'body and content are both given, or buttons are given without body.',
    correct,
  ],
  A426: [400, 'Invalid button.type', 'The type is not one of the nine button types.', correct],
  A427: [400, 'Invalid button.name', 'The label is missing or too long for the format.', correct],
  A428: [400, 'Invalid map location button', 'A field of the button is missing or malformed.', correct],
  A429: [400, 'Invalid map search button', 'A field of the button is missing or malformed.', correct],
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
  A523: [400, 'Invalid msgType', 'msgType is not one of the channel’s types.', correct],
  A524: [400, 'Invalid button.type', 'The type is not one of the channel’s types.', correct],
  A525: [400, 'Invalid button.name', 'The label is missing or too long.', correct],
  A559: [400, 'Invalid price', 'price or currencyType is malformed.', correct],
  A560: [400, 'Invalid itemHighlight', 'itemHighlight is malformed or too long.', correct],
  A561: [400, 'Invalid summary', 'summary is malformed or too long.', correct],
  A562: [400, 'Invalid quickReply', 'A quick reply is malformed, or there are too many.', correct],
  A563: [400, 'Invalid quickReply.type', 'The type is not one of the channel’s types.', correct],
  A564: [400, 'Invalid quickReply.name', 'The label is missing or too long.', correct],
  A565: [400, 'Invalid header', 'header is missing or too long.', correct],
  A567: [400, 'Invalid carousel', 'The carousel is malformed.', correct],
  A568: [400, 'Invalid FC or FA', 'The carousel does not match its type.', correct],
  A569: [400, 'Invalid adult', 'adult is not Y or N.', correct],
  A570: [400, 'Invalid targeting', 'targeting is missing or not one of M, N and I.', correct],
  A571: [400, 'Invalid sendType', 'sendType is not basic or free.', correct],
  A573: [400, 'Invalid attachment', 'attachment is malformed or does not match msgType.', correct],
  A802: [
    403,
    'No permission to Pull API',
    'The account is not allowed to use the polling endpoints.',
    askOperator,
  ],
  A805: [
    400,
    'Invalid Report ID(Pull API)',
    'The account has no outstanding batch with this reportId.',
    'Poll again and acknowledge the reportId of that response.',
  ],
  A806: [
    400,
    'Invalid cursor',
    'The cursor is malformed or belongs to another account.',
    'Use a cursor that the stream returned, or start without one.',
  ],
  A807: [
    400,
    'Invalid consumer',
    'The name of the consumer is malformed, or the account has the maximum number of consumers.',
    'Use a valid name, or an existing consumer.',
  ],
  A850: [
    400,
    'Invalid webhookId',
    'The webhook is unknown or belongs to another account.',
    'List your webhooks: GET /v1/webhook.',
  ],
  A851: [
    400,
    'Invalid url',
    'The URL of the webhook is malformed or does not resolve to a public address.',
    'Use a public https URL without user name and password; http only where the operator allows it.',
  ],
  A852: [
    400,
    'Too many webhooks',
    'The account already has 20 webhooks.',
    'Delete one, or change one with PUT.',
  ],
  A853: [400, 'Invalid webhook setting', 'A setting has the wrong type or is out of range.', correct],
  A854: [
    400,
    'Invalid replay',
    'The replay selects no report of the account, or a time more than 3 days ago.',
    'Send one of msgKey, failedSince and allSince. Query older reports by msgKey.',
  ],
  A920: [
    503,
    'Service busy',
    'The database, the broker or Redis is unavailable, or the reserve for such a time is used up.',
    'Retry after the time in Retry-After. Unless Message-Accepted or acceptance of the destination is no, retry a send only with the same Idempotency-Key: without one the message may be sent twice.',
  ],
  A999: [
    500,
    'Unknown error',
    'The gateway failed internally.',
    'A send may have been accepted: retry it only with the same Idempotency-Key. Contact the operator if the error persists.',
  ],
} satisfies Record<string, Row>

/** All entries, in the order of the table. */
export const resultCodes = Object.fromEntries(
  Object.entries(rows).map(([code, [status, result, cause, action]]) => [
    code,
    { code, status, result, cause, action },
  ]),
) as Readonly<Record<ResultCode, ResultCodeEntry>>

/** Codes of the contract that no response has, and the reason. */
export const reservedCodes: Readonly<Partial<Record<ResultCode, string>>> = {
  A325: 'Every account may use every channel.',
  A326: 'Every account may use every channel as a fallback.',
}

/** Checks a code that comes from outside, such as that of a parsed response. */
export function isResultCode(code: string): code is ResultCode {
  return Object.hasOwn(resultCodes, code)
}
