/** Result codes and report codes.
 * Generated from gateway/src/contract/result-codes.ts and gateway/src/channels/report-codes.ts; change the source and run `npm run generate`. */

export interface CodeDescription {
  readonly text: string
  readonly cause: string
  /** What to do next. */
  readonly action: string
  /** Outcome of the step. Absent for result codes. */
  readonly outcome?: string
}

export const codes: Readonly<Record<string, CodeDescription>> = {
  A000: {
    text: 'Success',
    cause: 'The request succeeded. A send has been accepted, not yet delivered.',
    action: 'Store the msgKey: reports carry it.',
  },
  A001: {
    text: 'Expired token',
    cause: 'The token is older than 24 hours, or the password or key it was made from has expired.',
    action: 'Request a new token: POST /v1/auth/token.',
  },
  A002: {
    text: 'Invalid token',
    cause: 'The token or key is missing, malformed, forged, revoked or of another cell.',
    action: 'Send Authorization: Bearer <token>.',
  },
  A010: { text: 'Cannot parse JSON', cause: 'The body is not JSON.', action: 'Send valid JSON in UTF-8.' },
  A011: {
    text: 'JSON cannot be mapped',
    cause: 'The body is JSON, but not an object, too deeply nested or too large.',
    action: 'Send one object as described in the reference.',
  },
  A020: {
    text: 'Rate limit exceeded',
    cause:
      'The account exceeded its rate limit, or sends faster than messages can be recorded and is above its fair share.',
    action: 'Retry after the time in Retry-After.',
  },
  A021: {
    text: 'Idempotency-Key used before',
    cause:
      'The account used this key within the last 24 hours with a different path or body; within ten minutes when nothing was accepted.',
    action: 'Use a new key for every new request.',
  },
  A022: {
    text: 'Request in progress',
    cause: 'The first request with this Idempotency-Key is still being processed.',
    action: 'Retry the same request after the time in Retry-After.',
  },
  A100: {
    text: 'Invalid authentication information',
    cause: 'The client id or the password is incorrect, or the password or key has expired.',
    action: 'Check both credential headers.',
  },
  A110: {
    text: 'Blocked account',
    cause: 'The operator has blocked the account.',
    action: 'Contact the operator.',
  },
  A113: {
    text: 'Not permitted',
    cause: 'The key may not be used for this operation, or not from this address.',
    action: 'Use a key with the scope or the network named in the result, or contact the operator.',
  },
  A200: {
    text: 'File too large',
    cause:
      'The file exceeds the size limit of its service, or the images of a carousel exceed their total limit.',
    action: 'Send a smaller file.',
  },
  A201: {
    text: 'File name too long',
    cause: 'The file name exceeds 40 characters.',
    action: 'Shorten the file name.',
  },
  A202: {
    text: 'Unusable file',
    cause: 'The file is not a readable image.',
    action: 'Send a complete image.',
  },
  A203: {
    text: 'Wrong resolution',
    cause: 'Width, height or aspect ratio is not allowed by the service or the RCS format.',
    action: 'Resize the image.',
  },
  A204: {
    text: 'No file',
    cause: 'The request has no form part named file.',
    action: 'Send multipart/form-data with a part named file.',
  },
  A205: {
    text: 'File type mismatch',
    cause: 'The content of the file does not match its declared type.',
    action: 'Use the file name extension and Content-Type of the actual format.',
  },
  A206: {
    text: 'Wrong file format',
    cause: 'The service does not accept this image format.',
    action: 'Convert the image.',
  },
  A207: {
    text: 'Wrong content disposition',
    cause: 'The form part has no name.',
    action: 'Send multipart/form-data as described in the reference.',
  },
  A208: {
    text: 'Wrong file name',
    cause: 'The form part has no usable file name.',
    action: 'Set a file name.',
  },
  A213: {
    text: 'Wrong upload request',
    cause: 'The request is not an upload of one file.',
    action: 'Send one part named file.',
  },
  A214: { text: 'Upload failed', cause: 'The file could not be stored.', action: 'Retry the upload.' },
  A217: {
    text: 'Invalid fileKey',
    cause:
      'The file is unknown, has expired, belongs to another account or was uploaded for another service.',
    action: 'Upload the file again for this service.',
  },
  A219: {
    text: 'Invalid serviceType',
    cause: 'The first path segment is not a service that accepts files.',
    action: 'Correct the field named in the result.',
  },
  A220: {
    text: 'Invalid msgType',
    cause: 'The second path segment does not belong to the service.',
    action: 'Correct the field named in the result.',
  },
  A250: {
    text: 'Invalid formId',
    cause: 'The form is unknown, has expired or belongs to another account.',
    action: 'Register the form again.',
  },
  A300: {
    text: 'Wrong request',
    cause: 'A field is unknown, missing or misplaced, or the path does not exist.',
    action: 'Correct the field named in the result.',
  },
  A302: {
    text: 'Invalid from',
    cause: 'The sender number is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A303: {
    text: 'Invalid text',
    cause: 'The text is missing or contains a character that cannot be sent.',
    action: 'Correct the field named in the result.',
  },
  A304: {
    text: 'Invalid ttl',
    cause: 'ttl is not a number of seconds in range.',
    action: 'Correct the field named in the result.',
  },
  A305: {
    text: 'Invalid ref',
    cause: 'ref exceeds 200 characters.',
    action: 'Correct the field named in the result.',
  },
  A306: {
    text: 'Invalid to',
    cause: 'The recipient is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A310: {
    text: 'Invalid paymentCode',
    cause: 'paymentCode exceeds 20 characters.',
    action: 'Correct the field named in the result.',
  },
  A312: {
    text: 'Invalid fallback.type',
    cause: 'fallback.type is not SMS or MMS.',
    action: 'Correct the field named in the result.',
  },
  A314: {
    text: 'Invalid fallback.text',
    cause: 'fallback.text is missing or cannot be sent.',
    action: 'Correct the field named in the result.',
  },
  A317: {
    text: 'Too many fallback.fileKey',
    cause: 'The list has more than 3 files.',
    action: 'Correct the field named in the result.',
  },
  A318: {
    text: 'Too many destinations',
    cause: 'The request has more than 10 destinations.',
    action: 'Split it into several requests.',
  },
  A319: {
    text: 'Too many fileKey',
    cause: 'The list has more than 3 files.',
    action: 'Correct the field named in the result.',
  },
  A321: {
    text: 'Not for international',
    cause: 'An international message has a title or a fileKey.',
    action: 'Correct the field named in the result.',
  },
  A322: {
    text: 'Text not allowed',
    cause:
      'The text has something that it must not have, or a link to a domain that the account may not use.',
    action: 'Change the text as the result says; ask the operator to register the domain of a link.',
  },
  A323: {
    text: 'Sender blocked',
    cause: 'The operator has blocked the sender for the account.',
    action: 'Contact the operator.',
  },
  A324: {
    text: 'Recipient opted out',
    cause: 'The recipient does not want advertisements of the account, or has not agreed to them.',
    action: 'Remove the recipient from the list of this advertisement.',
  },
  A325: {
    text: 'Channel not allowed',
    cause: 'The account may not use this channel.',
    action: 'Contact the operator.',
  },
  A326: {
    text: 'Fallback channel not allowed',
    cause: 'The account may not use the channel of the fallback.',
    action: 'Contact the operator.',
  },
  A327: {
    text: 'Sender not registered',
    cause:
      'The sender is not registered for the account, not approved or past its end: a number, RCS brand or chatbot, Kakao sender key or template.',
    action: 'Ask the operator of the service to register it; the answer names the field and the state.',
  },
  A328: {
    text: 'Text too long',
    cause: 'The text exceeds the limit of its channel.',
    action: 'Shorten the text, or use a channel for longer texts.',
  },
  A329: {
    text: 'fallback.text too long',
    cause: 'The fallback text exceeds the limit of its type.',
    action: 'Shorten the text, or use type MMS.',
  },
  A330: {
    text: 'Cannot be cancelled',
    cause:
      'No scheduled message with this msgKey is waiting: it is unknown, was not scheduled or has already been released.',
    action: 'Check its reports. A released message cannot be cancelled.',
  },
  A331: {
    text: 'Unknown message',
    cause:
      'The account has no message with this msgKey: it never existed, is not recorded yet or is past its retention.',
    action:
      'Check the msgKey. A message just sent may take a moment to appear; messages are kept for 30 days.',
  },
  A340: {
    text: 'Wrong form of an advertisement',
    cause:
      'An advertisement lacks what the law demands of it, such as the mark (광고) at the beginning or the free opt-out at the end, or has it in another form.',
    action: 'Correct the text as the result says.',
  },
  A341: {
    text: 'Advertisement in quiet hours',
    cause: 'The advertisement would be sent in hours in which none may be sent.',
    action:
      'Send it, or schedule it with sendAt, within the hours named in the result, or add a fallback that is no advertisement.',
  },
  A342: {
    text: 'Country not enabled',
    cause: 'The country of the recipient is closed for the account. A new account has no open country.',
    action: 'Ask the operator to open it.',
  },
  A343: {
    text: 'Cap reached',
    cause: 'The account has sent as much as it may in this day or month.',
    action: 'Wait for the next day or month, or ask the operator for a higher cap.',
  },
  A344: {
    text: 'Too many to one recipient',
    cause: 'The account sends too much to one recipient, or to recipients with one prefix.',
    action: 'Send less often; contact the operator if it is legitimate.',
  },
  A345: {
    text: 'Codes are not used',
    cause: 'Few of the one-time codes that the account sent to this country were used.',
    action: 'Check who makes your service send codes; contact the operator if they are legitimate.',
  },
  A404: {
    text: 'Invalid formatId',
    cause: 'The format is unknown or does not fit the content.',
    action: 'Correct the field named in the result.',
  },
  A406: {
    text: 'Invalid button',
    cause: 'A button is malformed, or there are too many.',
    action: 'Correct the field named in the result.',
  },
  A407: {
    text: 'Invalid copyAllowed',
    cause: 'copyAllowed is not 0 or 1.',
    action: 'Correct the field named in the result.',
  },
  A408: {
    text: 'Invalid expiryOption',
    cause: 'expiryOption is not 1, 2, 3 or 4.',
    action: 'Correct the field named in the result.',
  },
  A409: {
    text: 'Invalid groupId',
    cause: 'groupId is malformed.',
    action: 'Correct the field named in the result.',
  },
  A411: {
    text: 'Invalid header',
    cause: 'header is not 0 or 1.',
    action: 'Correct the field named in the result.',
  },
  A412: {
    text: 'Invalid footer',
    cause: 'footer is missing with header 1, or too long.',
    action: 'Correct the field named in the result.',
  },
  A413: {
    text: 'Invalid agencyId',
    cause: 'agencyId is malformed.',
    action: 'Correct the field named in the result.',
  },
  A415: {
    text: 'Invalid content',
    cause: 'content is missing, or its kind does not match the format.',
    action: 'Correct the field named in the result.',
  },
  A417: {
    text: 'Wrong number of cards',
    cause: 'The number of cards does not match the format.',
    action: 'Correct the field named in the result.',
  },
  A418: {
    text: 'Invalid agencyKey',
    cause: 'agencyKey is malformed.',
    action: 'Correct the field named in the result.',
  },
  A419: {
    text: 'Invalid brandId',
    cause: 'brandId is malformed.',
    action: 'Correct the field named in the result.',
  },
  A420: {
    text: 'Invalid brandKey',
    cause: 'brandKey is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A424: {
    text: 'Invalid subContent',
    cause: 'There are too many sub-infos, or one is malformed.',
    action: 'Correct the field named in the result.',
  },
  A425: {
    text: 'Invalid buttons or body',
    cause: 'body and content are both given, or buttons are given without body.',
    action: 'Correct the field named in the result.',
  },
  A426: {
    text: 'Invalid button.type',
    cause: 'The type is not one of the nine button types.',
    action: 'Correct the field named in the result.',
  },
  A427: {
    text: 'Invalid button.name',
    cause: 'The label is missing or too long for the format.',
    action: 'Correct the field named in the result.',
  },
  A428: {
    text: 'Invalid map location button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A429: {
    text: 'Invalid map search button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A430: {
    text: 'Invalid calendar button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A431: {
    text: 'Invalid copy button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A432: {
    text: 'Invalid text message button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A433: {
    text: 'Invalid call message button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A434: {
    text: 'Invalid dial button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A502: {
    text: 'Invalid senderKey',
    cause: 'senderKey is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A503: {
    text: 'Invalid button',
    cause: 'A button is malformed, or there are too many.',
    action: 'Correct the field named in the result.',
  },
  A505: {
    text: 'Invalid templateCode',
    cause: 'templateCode is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A506: {
    text: 'Invalid adFlag',
    cause: 'adFlag is not Y or N, or must be Y for this type.',
    action: 'Correct the field named in the result.',
  },
  A513: {
    text: 'Invalid image',
    cause: 'The image is missing or malformed.',
    action: 'Correct the field named in the result.',
  },
  A521: {
    text: 'Invalid item',
    cause: 'The item list is malformed.',
    action: 'Correct the field named in the result.',
  },
  A523: {
    text: 'Invalid msgType',
    cause: 'msgType is not one of the channel’s types.',
    action: 'Correct the field named in the result.',
  },
  A524: {
    text: 'Invalid button.type',
    cause: 'The type is not one of the channel’s types.',
    action: 'Correct the field named in the result.',
  },
  A525: {
    text: 'Invalid button.name',
    cause: 'The label is missing or too long.',
    action: 'Correct the field named in the result.',
  },
  A559: {
    text: 'Invalid price',
    cause: 'price or currencyType is malformed.',
    action: 'Correct the field named in the result.',
  },
  A560: {
    text: 'Invalid itemHighlight',
    cause: 'itemHighlight is malformed or too long.',
    action: 'Correct the field named in the result.',
  },
  A561: {
    text: 'Invalid summary',
    cause: 'summary is malformed or too long.',
    action: 'Correct the field named in the result.',
  },
  A562: {
    text: 'Invalid quickReply',
    cause: 'A quick reply is malformed, or there are too many.',
    action: 'Correct the field named in the result.',
  },
  A563: {
    text: 'Invalid quickReply.type',
    cause: 'The type is not one of the channel’s types.',
    action: 'Correct the field named in the result.',
  },
  A564: {
    text: 'Invalid quickReply.name',
    cause: 'The label is missing or too long.',
    action: 'Correct the field named in the result.',
  },
  A565: {
    text: 'Invalid header',
    cause: 'header is missing or too long.',
    action: 'Correct the field named in the result.',
  },
  A567: {
    text: 'Invalid carousel',
    cause: 'The carousel is malformed.',
    action: 'Correct the field named in the result.',
  },
  A568: {
    text: 'Invalid FC or FA',
    cause: 'The carousel does not match its type.',
    action: 'Correct the field named in the result.',
  },
  A569: {
    text: 'Invalid adult',
    cause: 'adult is not Y or N.',
    action: 'Correct the field named in the result.',
  },
  A570: {
    text: 'Invalid targeting',
    cause: 'targeting is missing or not one of M, N and I.',
    action: 'Correct the field named in the result.',
  },
  A571: {
    text: 'Invalid sendType',
    cause: 'sendType is not basic or free.',
    action: 'Correct the field named in the result.',
  },
  A573: {
    text: 'Invalid attachment',
    cause: 'attachment is malformed or does not match msgType.',
    action: 'Correct the field named in the result.',
  },
  A802: {
    text: 'No permission to Pull API',
    cause: 'The account may not use the polling endpoints.',
    action: 'Contact the operator.',
  },
  A805: {
    text: 'Invalid Report ID(Pull API)',
    cause: 'The account has no outstanding batch with this reportId.',
    action: 'Poll again and delete the reportId of that answer.',
  },
  A806: {
    text: 'Invalid cursor',
    cause: 'The cursor is malformed or belongs to another account.',
    action: 'Use a cursor that the stream returned, or start without one.',
  },
  A807: {
    text: 'Invalid consumer',
    cause: 'The name of the consumer is malformed, or the account has the maximum number of consumers.',
    action: 'Use a valid name, or an existing consumer.',
  },
  A850: {
    text: 'Invalid webhookId',
    cause: 'The webhook is unknown or belongs to another account.',
    action: 'List your webhooks: GET /v1/webhook.',
  },
  A851: {
    text: 'Invalid url',
    cause: 'The URL of the webhook is malformed or does not resolve to a public address.',
    action: 'Use a public http or https URL without user name and password.',
  },
  A852: {
    text: 'Too many webhooks',
    cause: 'The account already has 20 webhooks.',
    action: 'Delete one, or change one with PUT.',
  },
  A853: {
    text: 'Invalid webhook setting',
    cause: 'A setting has the wrong type or is out of range.',
    action: 'Correct the field named in the result.',
  },
  A854: {
    text: 'Invalid replay',
    cause: 'The replay selects no report of the account, or a time more than 3 days ago.',
    action: 'Send one of msgKey, failedSince and allSince. Query older reports by msgKey.',
  },
  A920: {
    text: 'Service busy',
    cause:
      'The database, the broker or Redis is unavailable, or the reserve for such a time is used up. Nothing was accepted, unless the result says "perhaps accepted".',
    action:
      'Retry after the time in Retry-After. After "perhaps accepted" retry only with the same Idempotency-Key: without one the message may be sent twice.',
  },
  A999: {
    text: 'Unknown error',
    cause: 'The gateway failed internally.',
    action:
      'A send may have been accepted: retry it only with the same Idempotency-Key. Contact the operator if the error persists.',
  },
  10000: {
    text: 'Delivered',
    cause: 'The carrier confirmed that the phone has the message.',
    action: 'Nothing.',
    outcome: 'delivered',
  },
  22000: {
    text: 'No delivery within the time allowed',
    cause: 'The phone was off or out of reach, or the carrier sent no receipt in time.',
    action: 'The recipient may have the message. Send it again only if receiving it twice does no harm.',
    outcome: 'unknown',
  },
  22002: {
    text: 'Radio failure',
    cause: 'The network could not reach the phone over the air.',
    action: 'Send again after some minutes.',
    outcome: 'failed',
  },
  22003: {
    text: 'Phone switched off',
    cause: 'The phone stayed off until the carrier gave up.',
    action: 'Send again later.',
    outcome: 'failed',
  },
  22004: {
    text: 'Message memory of the phone full',
    cause: 'The message memory of the phone is full.',
    action: 'Ask the recipient to delete messages; send again later.',
    outcome: 'failed',
  },
  22005: {
    text: 'Phone in a shadow area',
    cause: 'The phone has no network coverage.',
    action: 'Send again later.',
    outcome: 'failed',
  },
  22006: {
    text: 'Temporary failure at the carrier',
    cause: "The carrier's network was disturbed or overloaded.",
    action: 'Send again later; if many messages fail, contact the operator.',
    outcome: 'failed',
  },
  23000: {
    text: 'Delivery failed',
    cause: 'The carrier gave up without a specific reason.',
    action: 'Check the number; if other messages on the same route fail too, contact the operator.',
    outcome: 'failed',
  },
  23001: {
    text: 'No such subscriber',
    cause: 'The number is not in service or has been disconnected.',
    action: 'Remove the number from your list.',
    outcome: 'failed',
  },
  23003: {
    text: 'Wrong recipient number',
    cause: 'The carrier does not accept this number: it is incorrect or of an unsupported kind.',
    action: 'Correct the number before sending again.',
    outcome: 'failed',
  },
  23006: {
    text: 'Refused by the carrier',
    cause: 'The carrier rejected the message, often because of its content or its sender.',
    action: 'Check sender and content; the operator can look up the carrier code.',
    outcome: 'failed',
  },
  23010: {
    text: 'Not supported by the phone',
    cause: 'The phone, its software or its subscription cannot show this kind of message.',
    action: 'Send a text message, or add a fallback to the flow.',
    outcome: 'failed',
  },
  23012: {
    text: 'Blocked as spam',
    cause: 'A spam filter of the carrier or of the recipient blocked the message.',
    action: 'Check links and wording, and that advertisement marks are present.',
    outcome: 'failed',
  },
  23016: {
    text: 'Attachment not acceptable',
    cause: 'The image or file is too large, has an unsupported format or could not be fetched.',
    action: 'Upload a file within the limits and send again.',
    outcome: 'failed',
  },
  23023: {
    text: 'Sender number not registered',
    cause: 'The sender is not registered with the carrier for this account.',
    action: 'Register the sender, then send again.',
    outcome: 'failed',
  },
  23025: {
    text: 'Duplicate message',
    cause: 'The carrier received the same message to the same recipient shortly before.',
    action: 'Nothing if it was sent twice; otherwise change the text.',
    outcome: 'failed',
  },
  23029: {
    text: 'Advertisement in barred hours',
    cause: 'Advertisements must not be delivered at this hour.',
    action: 'Send it within the allowed hours.',
    outcome: 'failed',
  },
  23034: {
    text: 'Wrong file key',
    cause: 'The file is unknown to the carrier or has expired there.',
    action: 'Upload the file again and use its new key.',
    outcome: 'failed',
  },
  23036: {
    text: 'Wrong originCID',
    cause: 'originCID is incorrect or not registered at the carrier.',
    action: 'Correct originCID, or register it.',
    outcome: 'failed',
  },
  32000: {
    text: 'No delivery within the time allowed',
    cause: 'The phone was off or out of reach, or the carrier sent no receipt in time.',
    action: 'The recipient may have the message. Send it again only if receiving it twice does no harm.',
    outcome: 'unknown',
  },
  32002: {
    text: 'Radio failure',
    cause: 'The network could not reach the phone over the air.',
    action: 'Send again after some minutes.',
    outcome: 'failed',
  },
  32003: {
    text: 'Phone switched off',
    cause: 'The phone stayed off until the carrier gave up.',
    action: 'Send again later.',
    outcome: 'failed',
  },
  32004: {
    text: 'Message memory of the phone full',
    cause: 'The message memory of the phone is full.',
    action: 'Ask the recipient to delete messages; send again later.',
    outcome: 'failed',
  },
  32005: {
    text: 'Phone in a shadow area',
    cause: 'The phone has no network coverage.',
    action: 'Send again later.',
    outcome: 'failed',
  },
  32006: {
    text: 'Temporary failure at the carrier',
    cause: "The carrier's network was disturbed or overloaded.",
    action: 'Send again later; if many messages fail, contact the operator.',
    outcome: 'failed',
  },
  33000: {
    text: 'Delivery failed',
    cause: 'The carrier gave up without a specific reason.',
    action: 'Check the number; if other messages on the same route fail too, contact the operator.',
    outcome: 'failed',
  },
  33001: {
    text: 'No such subscriber',
    cause: 'The number is not in service or has been disconnected.',
    action: 'Remove the number from your list.',
    outcome: 'failed',
  },
  33003: {
    text: 'Wrong recipient number',
    cause: 'The carrier does not accept this number: it is incorrect or of an unsupported kind.',
    action: 'Correct the number before sending again.',
    outcome: 'failed',
  },
  33006: {
    text: 'Refused by the carrier',
    cause: 'The carrier rejected the message, often because of its content or its sender.',
    action: 'Check sender and content; the operator can look up the carrier code.',
    outcome: 'failed',
  },
  33012: {
    text: 'Blocked as spam',
    cause: 'A spam filter of the carrier or of the recipient blocked the message.',
    action: 'Check links and wording, and that advertisement marks are present.',
    outcome: 'failed',
  },
  33023: {
    text: 'Sender number not registered',
    cause: 'The sender is not registered with the carrier for this account.',
    action: 'Register the sender, then send again.',
    outcome: 'failed',
  },
  33025: {
    text: 'Duplicate message',
    cause: 'The carrier received the same message to the same recipient shortly before.',
    action: 'Nothing if it was sent twice; otherwise change the text.',
    outcome: 'failed',
  },
  33029: {
    text: 'Advertisement in barred hours',
    cause: 'Advertisements must not be delivered at this hour.',
    action: 'Send it within the allowed hours.',
    outcome: 'failed',
  },
  33036: {
    text: 'Wrong originCID',
    cause: 'originCID is incorrect or not registered at the carrier.',
    action: 'Correct originCID, or register it.',
    outcome: 'failed',
  },
  33101: {
    text: 'The phone does not support RCS',
    cause: 'The phone or its carrier does not support RCS, or RCS is switched off.',
    action: 'Add a text message as fallback to the flow.',
    outcome: 'failed',
  },
  33102: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  33103: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  33104: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  33105: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  33106: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  33107: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  33109: {
    text: 'Title not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  33110: {
    text: 'Text not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  33111: {
    text: 'Buttons not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  33120: {
    text: 'Attachment not acceptable',
    cause: 'The image or file is too large, has an unsupported format or could not be fetched.',
    action: 'Upload a file within the limits and send again.',
    outcome: 'failed',
  },
  33121: {
    text: 'Wrong messagebase',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  33200: {
    text: 'Wrong brand',
    cause: 'The brand, contract or account is unknown to the carrier or has no right to send.',
    action: 'Check the keys of the message; register what is missing, then send again.',
    outcome: 'failed',
  },
  61003: {
    text: 'Wrong sender key',
    cause: 'The sender key is unknown to the messenger, blocked, or belongs to another account.',
    action: 'Correct the sender key.',
    outcome: 'failed',
  },
  61006: {
    text: 'Sender profile deleted',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
  },
  61007: {
    text: 'Sender profile blocked',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
  },
  61011: {
    text: 'No contract found',
    cause: 'The brand, contract or account is unknown to the carrier or has no right to send.',
    action: 'Check the keys of the message; register what is missing, then send again.',
    outcome: 'failed',
  },
  61021: {
    text: 'Channel blocked',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
  },
  61022: {
    text: 'Channel closed',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
  },
  61023: {
    text: 'Channel deleted',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
  },
  61024: {
    text: 'Channel about to be deleted',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
  },
  61025: {
    text: 'Channel restricted',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
  },
  61027: {
    text: 'Messages of the channel restricted',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
  },
  63005: {
    text: 'No confirmation from the messenger',
    cause: 'The messenger did not confirm the delivery in time.',
    action: 'The recipient may have the message. Send it again only if receiving it twice does no harm.',
    outcome: 'unknown',
  },
  63008: {
    text: 'Wrong recipient number',
    cause: 'The carrier does not accept this number: it is incorrect or of an unsupported kind.',
    action: 'Correct the number before sending again.',
    outcome: 'failed',
  },
  63013: {
    text: 'Message empty',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  63014: {
    text: 'Message too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
  },
  63015: {
    text: 'Template not found',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  63016: {
    text: 'Text differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  63018: {
    text: 'The recipient cannot receive messages',
    cause: 'The phone or the messenger of the recipient cannot receive this message.',
    action: 'Add a text message as fallback to the flow.',
    outcome: 'failed',
  },
  63019: {
    text: 'Not a user of the messenger',
    cause: 'The number has no account with the messenger.',
    action: 'Send a text message instead.',
    outcome: 'failed',
  },
  63020: {
    text: 'Blocked by the recipient',
    cause: 'The recipient has blocked the channel or this kind of message.',
    action: 'Do not send to this recipient on this channel.',
    outcome: 'failed',
  },
  63021: {
    text: 'The messenger of the recipient is too old',
    cause: 'The phone or the messenger of the recipient cannot receive this message.',
    action: 'Add a text message as fallback to the flow.',
    outcome: 'failed',
  },
  63022: {
    text: 'Advertisement in barred hours',
    cause: 'Advertisements must not be delivered at this hour.',
    action: 'Send it within the allowed hours.',
    outcome: 'failed',
  },
  63024: {
    text: 'Attachment not acceptable',
    cause: 'The image or file is too large, has an unsupported format or could not be fetched.',
    action: 'Upload a file within the limits and send again.',
    outcome: 'failed',
  },
  63025: {
    text: 'Variable too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
  },
  63026: {
    text: 'Extra or event of a button too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
  },
  63027: {
    text: 'Buttons differ from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  63028: {
    text: 'Title differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  63029: {
    text: 'Title too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
  },
  63030: {
    text: 'Type differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  63031: {
    text: 'Header differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  63032: {
    text: 'Header too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
  },
  63033: {
    text: 'Item highlight differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  63034: {
    text: 'Title of the item highlight too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
  },
  63035: {
    text: 'Description of the item highlight too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
  },
  63036: {
    text: 'Items differ from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  63037: {
    text: 'Description of an item too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
  },
  63038: {
    text: 'Item summary differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  63039: {
    text: 'Description of the item summary too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
  },
  63040: {
    text: 'Item summary with a wrong character',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
  },
  64008: {
    text: 'The account has no right',
    cause: 'The brand, contract or account is unknown to the carrier or has no right to send.',
    action: 'Check the keys of the message; register what is missing, then send again.',
    outcome: 'failed',
  },
  64133: {
    text: 'Template stopped',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
  },
  69999: {
    text: 'Delivery failed',
    cause: 'The messenger gave up for a reason without a report code.',
    action: 'Check the carrier code of the attempt; add a fallback to the flow.',
    outcome: 'failed',
  },
  90000: {
    text: 'No route for this message',
    cause: 'The operator has no route that serves this channel, or all are disabled.',
    action: 'Contact the operator, who sees all routes and their states.',
    outcome: 'failed',
  },
  90010: {
    text: 'Cancelled before sending',
    cause: 'The client cancelled the scheduled message before its send time.',
    action: 'Nothing.',
    outcome: 'failed',
  },
  90011: {
    text: 'The account is stopped',
    cause: 'The operator stopped the account before the message was sent.',
    action: 'Contact the operator.',
    outcome: 'failed',
  },
  90012: {
    text: 'The recipient has opted out',
    cause: 'The recipient opted out of advertisements after the message was accepted.',
    action: 'Do not send advertisements to this recipient.',
    outcome: 'failed',
  },
  90013: {
    text: 'Cap of the account reached',
    cause: 'The account had sent as much as it may when the message was due.',
    action: 'Send it in the next day or month, or ask the operator for a higher cap.',
    outcome: 'failed',
  },
  90014: {
    text: 'Wrong form of an advertisement',
    cause:
      'The name or the free number for opting out in the advertisement is not registered for the account any more.',
    action: 'Ask the operator to register it, or send with one that is registered.',
    outcome: 'failed',
  },
  99999: {
    text: 'The carrier never reported an outcome',
    cause: 'The response was lost and no receipt arrived.',
    action: 'The recipient may have the message. Send it again only if receiving it twice does no harm.',
    outcome: 'unknown',
  },
}
