/** Why a request was refused and what to do about it, by its result code.
 * Generated from the definitions in gateway/src/api/reference; change those and run `npm run generate`. */

export interface ResultCodeText {
  readonly cause: string
  readonly action: string
}

export const resultCodes: Readonly<Record<string, ResultCodeText>> = {
  A001: {
    cause: 'The token is older than 24 hours, or the password or key it was made from has expired.',
    action: 'Request a new token: POST /v1/auth/token.',
  },
  A002: {
    cause: 'The token or key is missing, malformed, forged, revoked or of another cell.',
    action: 'Send Authorization: Bearer <token>.',
  },
  A010: { cause: 'The body is not JSON.', action: 'Send valid JSON in UTF-8.' },
  A011: {
    cause: 'The body is JSON, but not an object, too deeply nested or too large.',
    action: 'Send one object as described in the reference.',
  },
  A020: {
    cause:
      'The account exceeded its rate limit, or sends faster than messages can be recorded and is above its fair share.',
    action: 'Retry after the time in Retry-After.',
  },
  A021: {
    cause:
      'The account used this key within the last 24 hours with a different path or body; within ten minutes when nothing was accepted.',
    action: 'Use a new key for every new request.',
  },
  A022: {
    cause: 'The first request with this Idempotency-Key is still being processed.',
    action: 'Retry the same request after the time in Retry-After.',
  },
  A100: {
    cause: 'The client id or the password is incorrect, or the password or key has expired.',
    action: 'Check both credential headers.',
  },
  A110: { cause: 'The operator has blocked the account.', action: 'Contact the operator.' },
  A113: {
    cause: 'The key may not be used for this operation, or not from this address.',
    action: 'Use a key with the scope or the network named in the result, or contact the operator.',
  },
  A200: {
    cause:
      'The file exceeds the size limit of its service, or the images of a carousel exceed their total limit.',
    action: 'Send a smaller file.',
  },
  A201: { cause: 'The file name exceeds 40 characters.', action: 'Shorten the file name.' },
  A202: { cause: 'The file is not a readable image.', action: 'Send a complete image.' },
  A203: {
    cause: 'Width, height or aspect ratio is not allowed by the service or the RCS format.',
    action: 'Resize the image.',
  },
  A204: {
    cause: 'The request has no form part named file.',
    action: 'Send multipart/form-data with a part named file.',
  },
  A205: {
    cause: 'The content of the file does not match its declared type.',
    action: 'Use the file name extension and Content-Type of the actual format.',
  },
  A206: { cause: 'The service does not accept this image format.', action: 'Convert the image.' },
  A207: {
    cause: 'The form part has no name.',
    action: 'Send multipart/form-data as described in the reference.',
  },
  A208: { cause: 'The form part has no usable file name.', action: 'Set a file name.' },
  A213: { cause: 'The request is not an upload of one file.', action: 'Send one part named file.' },
  A214: { cause: 'The file could not be stored.', action: 'Retry the upload.' },
  A217: {
    cause:
      'The file is unknown, has expired, belongs to another account or was uploaded for another service.',
    action: 'Upload the file again for this service.',
  },
  A219: {
    cause: 'The first path segment is not a service that accepts files.',
    action: 'Correct the field named in the result.',
  },
  A220: {
    cause: 'The second path segment does not belong to the service.',
    action: 'Correct the field named in the result.',
  },
  A250: {
    cause: 'The form is unknown, has expired or belongs to another account.',
    action: 'Register the form again.',
  },
  A300: {
    cause: 'A field is unknown, missing or misplaced, or the path does not exist.',
    action: 'Correct the field named in the result.',
  },
  A302: {
    cause: 'The sender number is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A303: {
    cause: 'The text is missing or contains a character that cannot be sent.',
    action: 'Correct the field named in the result.',
  },
  A304: {
    cause: 'ttl is not a number of seconds in range.',
    action: 'Correct the field named in the result.',
  },
  A305: { cause: 'ref exceeds 200 characters.', action: 'Correct the field named in the result.' },
  A306: { cause: 'The recipient is missing or malformed.', action: 'Correct the field named in the result.' },
  A310: { cause: 'paymentCode exceeds 20 characters.', action: 'Correct the field named in the result.' },
  A312: { cause: 'fallback.type is not SMS or MMS.', action: 'Correct the field named in the result.' },
  A314: {
    cause: 'fallback.text is missing or cannot be sent.',
    action: 'Correct the field named in the result.',
  },
  A317: { cause: 'The list has more than 3 files.', action: 'Correct the field named in the result.' },
  A318: { cause: 'The request has more than 10 destinations.', action: 'Split it into several requests.' },
  A319: { cause: 'The list has more than 3 files.', action: 'Correct the field named in the result.' },
  A321: {
    cause: 'An international message has a title or a fileKey.',
    action: 'Correct the field named in the result.',
  },
  A322: {
    cause:
      'The text has something that it must not have, or a link to a domain that the account may not use.',
    action: 'Change the text as the result says; ask the operator to register the domain of a link.',
  },
  A323: { cause: 'The operator has blocked the sender for the account.', action: 'Contact the operator.' },
  A324: {
    cause: 'The recipient does not want advertisements of the account, or has not agreed to them.',
    action: 'Remove the recipient from the list of this advertisement.',
  },
  A327: {
    cause:
      'The sender is not registered for the account, not approved or past its end: a number, RCS brand or chatbot, Kakao sender key or template.',
    action: 'Ask the operator of the service to register it; the answer names the field and the state.',
  },
  A328: {
    cause: 'The text exceeds the limit of its channel.',
    action: 'Shorten the text, or use a channel for longer texts.',
  },
  A329: {
    cause: 'The fallback text exceeds the limit of its type.',
    action: 'Shorten the text, or use type MMS.',
  },
  A330: {
    cause:
      'No scheduled message with this msgKey is waiting: it is unknown, was not scheduled or has already been released.',
    action: 'Check its reports. A released message cannot be cancelled.',
  },
  A331: {
    cause:
      'The account has no message with this msgKey: it never existed, is not recorded yet or is past its retention.',
    action:
      'Check the msgKey. A message just sent may take a moment to appear; messages are kept for 30 days.',
  },
  A340: {
    cause:
      'An advertisement lacks what the law demands of it, such as the mark (광고) at the beginning or the free opt-out at the end, or has it in another form.',
    action: 'Correct the text as the result says.',
  },
  A341: {
    cause: 'The advertisement would be sent in hours in which none may be sent.',
    action:
      'Send it, or schedule it with sendAt, within the hours named in the result, or add a fallback that is no advertisement.',
  },
  A342: {
    cause: 'The country of the recipient is closed for the account. A new account has no open country.',
    action: 'Ask the operator to open it.',
  },
  A343: {
    cause: 'The account has sent as much as it may in this day or month.',
    action: 'Wait for the next day or month, or ask the operator for a higher cap.',
  },
  A344: {
    cause: 'The account sends too much to one recipient, or to recipients with one prefix.',
    action: 'Send less often; contact the operator if it is legitimate.',
  },
  A345: {
    cause: 'Few of the one-time codes that the account sent to this country were used.',
    action: 'Check who makes your service send codes; contact the operator if they are legitimate.',
  },
  A404: {
    cause: 'The format is unknown or does not fit the content.',
    action: 'Correct the field named in the result.',
  },
  A406: {
    cause: 'A button is malformed, or there are too many.',
    action: 'Correct the field named in the result.',
  },
  A407: { cause: 'copyAllowed is not 0 or 1.', action: 'Correct the field named in the result.' },
  A408: { cause: 'expiryOption is not 1, 2, 3 or 4.', action: 'Correct the field named in the result.' },
  A409: { cause: 'groupId is malformed.', action: 'Correct the field named in the result.' },
  A411: { cause: 'header is not 0 or 1.', action: 'Correct the field named in the result.' },
  A412: {
    cause: 'footer is missing with header 1, or too long.',
    action: 'Correct the field named in the result.',
  },
  A413: { cause: 'agencyId is malformed.', action: 'Correct the field named in the result.' },
  A415: {
    cause: 'content is missing, or its kind does not match the format.',
    action: 'Correct the field named in the result.',
  },
  A417: {
    cause: 'The number of cards does not match the format.',
    action: 'Correct the field named in the result.',
  },
  A418: { cause: 'agencyKey is malformed.', action: 'Correct the field named in the result.' },
  A419: { cause: 'brandId is malformed.', action: 'Correct the field named in the result.' },
  A420: { cause: 'brandKey is missing or malformed.', action: 'Correct the field named in the result.' },
  A424: {
    cause: 'There are too many sub-infos, or one is malformed.',
    action: 'Correct the field named in the result.',
  },
  A425: {
    cause: 'body and content are both given, or buttons are given without body.',
    action: 'Correct the field named in the result.',
  },
  A426: {
    cause: 'The type is not one of the nine button types.',
    action: 'Correct the field named in the result.',
  },
  A427: {
    cause: 'The label is missing or too long for the format.',
    action: 'Correct the field named in the result.',
  },
  A428: {
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A429: {
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A430: {
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A431: {
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A432: {
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A433: {
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A434: {
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A502: { cause: 'senderKey is missing or malformed.', action: 'Correct the field named in the result.' },
  A503: {
    cause: 'A button is malformed, or there are too many.',
    action: 'Correct the field named in the result.',
  },
  A505: { cause: 'templateCode is missing or malformed.', action: 'Correct the field named in the result.' },
  A506: {
    cause: 'adFlag is not Y or N, or must be Y for this type.',
    action: 'Correct the field named in the result.',
  },
  A513: { cause: 'The image is missing or malformed.', action: 'Correct the field named in the result.' },
  A521: { cause: 'The item list is malformed.', action: 'Correct the field named in the result.' },
  A523: {
    cause: 'msgType is not one of the channel’s types.',
    action: 'Correct the field named in the result.',
  },
  A524: {
    cause: 'The type is not one of the channel’s types.',
    action: 'Correct the field named in the result.',
  },
  A525: { cause: 'The label is missing or too long.', action: 'Correct the field named in the result.' },
  A559: { cause: 'price or currencyType is malformed.', action: 'Correct the field named in the result.' },
  A560: {
    cause: 'itemHighlight is malformed or too long.',
    action: 'Correct the field named in the result.',
  },
  A561: { cause: 'summary is malformed or too long.', action: 'Correct the field named in the result.' },
  A562: {
    cause: 'A quick reply is malformed, or there are too many.',
    action: 'Correct the field named in the result.',
  },
  A563: {
    cause: 'The type is not one of the channel’s types.',
    action: 'Correct the field named in the result.',
  },
  A564: { cause: 'The label is missing or too long.', action: 'Correct the field named in the result.' },
  A565: { cause: 'header is missing or too long.', action: 'Correct the field named in the result.' },
  A567: { cause: 'The carousel is malformed.', action: 'Correct the field named in the result.' },
  A568: { cause: 'The carousel does not match its type.', action: 'Correct the field named in the result.' },
  A569: { cause: 'adult is not Y or N.', action: 'Correct the field named in the result.' },
  A570: {
    cause: 'targeting is missing or not one of M, N and I.',
    action: 'Correct the field named in the result.',
  },
  A571: { cause: 'sendType is not basic or free.', action: 'Correct the field named in the result.' },
  A573: {
    cause: 'attachment is malformed or does not match msgType.',
    action: 'Correct the field named in the result.',
  },
  A802: { cause: 'The account may not use the polling endpoints.', action: 'Contact the operator.' },
  A805: {
    cause: 'The account has no outstanding batch with this reportId.',
    action: 'Poll again and delete the reportId of that answer.',
  },
  A806: {
    cause: 'The cursor is malformed or belongs to another account.',
    action: 'Use a cursor that the stream returned, or start without one.',
  },
  A807: {
    cause: 'The name of the consumer is malformed, or the account has the maximum number of consumers.',
    action: 'Use a valid name, or an existing consumer.',
  },
  A850: {
    cause: 'The webhook is unknown or belongs to another account.',
    action: 'List your webhooks: GET /v1/webhook.',
  },
  A851: {
    cause: 'The URL of the webhook is malformed or does not resolve to a public address.',
    action: 'Use a public http or https URL without user name and password.',
  },
  A852: { cause: 'The account already has 20 webhooks.', action: 'Delete one, or change one with PUT.' },
  A853: {
    cause: 'A setting has the wrong type or is out of range.',
    action: 'Correct the field named in the result.',
  },
  A854: {
    cause: 'The replay selects no report of the account, or a time more than 3 days ago.',
    action: 'Send one of msgKey, failedSince and allSince. Query older reports by msgKey.',
  },
  A920: {
    cause:
      'The database, the broker or Redis is unavailable, or the reserve for such a time is used up. Nothing was accepted, unless the result says "perhaps accepted".',
    action:
      'Retry after the time in Retry-After. After "perhaps accepted" retry only with the same Idempotency-Key: without one the message may be sent twice.',
  },
  A999: {
    cause: 'The gateway failed internally.',
    action:
      'A send may have been accepted: retry it only with the same Idempotency-Key. Contact the operator if the error persists.',
  },
}
