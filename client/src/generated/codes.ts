/** Result codes and report codes.
 * Generated from gateway/src/contract/result-codes.ts, result-codes-ko.ts and gateway/src/channels/report-codes.ts; change the source and run `npm run generate`. */

export interface CodeText {
  readonly text: string
  readonly cause: string
  /** What to do next. */
  readonly action: string
}

export interface CodeDescription extends CodeText {
  /** Outcome of the step. Absent for result codes. */
  readonly outcome?: string
  /** The same in Korean; the text of a result code is that of the API, in English. */
  readonly ko: CodeText
}

export const codes: Readonly<Record<string, CodeDescription>> = {
  A000: {
    text: 'Success',
    cause: 'The request succeeded. A send has been accepted, not yet delivered.',
    action: 'Store the msgKey: reports carry it.',
    ko: {
      text: 'Success',
      cause: '요청이 성공했습니다. 발송은 접수된 상태이며 아직 전달된 것은 아닙니다.',
      action: 'msgKey를 저장하십시오. 리포트에 같은 msgKey가 들어 있습니다.',
    },
  },
  A001: {
    text: 'Expired token',
    cause: 'The token is older than 24 hours, or the password or key it was made from has expired.',
    action: 'Request a new token: POST /v1/auth/token.',
    ko: {
      text: 'Expired token',
      cause: '발급된 지 24시간이 지난 토큰이거나, 토큰을 발급받은 비밀번호 또는 키가 만료되었습니다.',
      action: 'POST /v1/auth/token으로 토큰을 다시 발급받으십시오.',
    },
  },
  A002: {
    text: 'Invalid token',
    cause: 'The token or key is missing, malformed, forged, revoked or of another cell.',
    action: 'Send Authorization: Bearer <token>.',
    ko: {
      text: 'Invalid token',
      cause: '토큰이나 키가 없거나, 형식이 잘못되었거나, 위조 또는 폐기되었거나, 다른 셀에서 발급되었습니다.',
      action: 'Authorization: Bearer <토큰> 헤더를 보내십시오.',
    },
  },
  A010: {
    text: 'Cannot parse JSON',
    cause: 'The body is not JSON.',
    action: 'Send valid JSON in UTF-8.',
    ko: {
      text: 'Cannot parse JSON',
      cause: '본문이 JSON이 아닙니다.',
      action: 'UTF-8로 된 올바른 JSON을 보내십시오.',
    },
  },
  A011: {
    text: 'JSON cannot be mapped',
    cause: 'The body is JSON, but not an object, too deeply nested or too large.',
    action: 'Send one object as described in the reference.',
    ko: {
      text: 'JSON cannot be mapped',
      cause: 'JSON이지만 객체가 아니거나, 너무 깊게 중첩되었거나, 너무 큽니다.',
      action: 'API 문서에 있는 형태의 객체 하나를 보내십시오.',
    },
  },
  A020: {
    text: 'Rate limit exceeded',
    cause:
      'The account exceeded its rate limit, or sends faster than messages can be recorded and is above its fair share.',
    action: 'Retry after the time in Retry-After.',
    ko: {
      text: 'Rate limit exceeded',
      cause:
        '계정의 속도 제한을 넘었거나, 메시지를 기록하는 속도보다 빠르게 보내면서 계정의 몫을 넘었습니다.',
      action: 'Retry-After의 시간이 지난 뒤 다시 보내십시오.',
    },
  },
  A021: {
    text: 'Idempotency-Key used before',
    cause:
      'The account used this key within the last 24 hours with a different path or body; within ten minutes when nothing was accepted.',
    action: 'Use a new key for every new request.',
    ko: {
      text: 'Idempotency-Key used before',
      cause:
        '최근 24시간 안에(접수된 것이 없으면 10분 안에) 다른 경로나 본문에 사용한 Idempotency-Key입니다.',
      action: '새 요청에는 새 키를 사용하십시오.',
    },
  },
  A022: {
    text: 'Request in progress',
    cause: 'The first request with this Idempotency-Key is still being processed.',
    action: 'Retry the same request after the time in Retry-After.',
    ko: {
      text: 'Request in progress',
      cause: '같은 Idempotency-Key의 첫 요청을 처리하는 중입니다.',
      action: 'Retry-After의 시간이 지난 뒤 같은 요청을 다시 보내십시오.',
    },
  },
  A100: {
    text: 'Invalid authentication information',
    cause: 'The client id or the password is incorrect, or the password or key has expired.',
    action: 'Check both credential headers.',
    ko: {
      text: 'Invalid authentication information',
      cause: '클라이언트 ID나 비밀번호가 틀렸거나, 비밀번호 또는 키가 만료되었습니다.',
      action: '두 인증 헤더를 확인하십시오.',
    },
  },
  A110: {
    text: 'Blocked account',
    cause: 'The operator has blocked the account.',
    action: 'Contact the operator.',
    ko: { text: 'Blocked account', cause: '운영자가 차단한 계정입니다.', action: '운영자에게 문의하십시오.' },
  },
  A113: {
    text: 'Not permitted',
    cause: 'The key is not allowed for this operation, or not from this address.',
    action: 'Use a key with the scope or the network named in the result, or contact the operator.',
    ko: {
      text: 'Not permitted',
      cause: '이 키로는 이 작업을 할 수 없거나, 이 주소에서는 사용할 수 없습니다.',
      action: 'result에 적힌 권한이나 네트워크에 맞는 키를 사용하거나 운영자에게 문의하십시오.',
    },
  },
  A200: {
    text: 'File too large',
    cause:
      'The file exceeds the size limit of its service, or the images of a carousel exceed their total limit.',
    action: 'Send a smaller file.',
    ko: {
      text: 'File too large',
      cause: '파일이 서비스의 용량 제한을 넘었거나, 캐러셀 이미지의 용량 합계가 제한을 넘었습니다.',
      action: '더 작은 파일을 보내십시오.',
    },
  },
  A201: {
    text: 'File name too long',
    cause: 'The file name exceeds 40 characters.',
    action: 'Shorten the file name.',
    ko: {
      text: 'File name too long',
      cause: '파일 이름이 40자를 넘었습니다.',
      action: '파일 이름을 줄이십시오.',
    },
  },
  A202: {
    text: 'Unusable file',
    cause: 'The file is not a readable image.',
    action: 'Send a complete image.',
    ko: {
      text: 'Unusable file',
      cause: '읽을 수 없는 이미지입니다.',
      action: '손상되지 않은 이미지를 보내십시오.',
    },
  },
  A203: {
    text: 'Wrong resolution',
    cause: 'Width, height or aspect ratio is not allowed by the service or the RCS format.',
    action: 'Resize the image.',
    ko: {
      text: 'Wrong resolution',
      cause: '서비스나 RCS 포맷에서 허용하지 않는 너비, 높이 또는 비율입니다.',
      action: '이미지 크기를 조정하십시오.',
    },
  },
  A204: {
    text: 'No file',
    cause: 'The request has no form part named file.',
    action: 'Send multipart/form-data with a part named file.',
    ko: {
      text: 'No file',
      cause: '이름이 file인 파트가 없습니다.',
      action: 'multipart/form-data에 이름이 file인 파트를 넣으십시오.',
    },
  },
  A205: {
    text: 'File type mismatch',
    cause: 'The content of the file does not match its declared type.',
    action: 'Use the file name extension and Content-Type of the actual format.',
    ko: {
      text: 'File type mismatch',
      cause: '파일의 내용이 선언한 형식과 다릅니다.',
      action: '실제 형식에 맞는 파일 확장자와 Content-Type을 사용하십시오.',
    },
  },
  A206: {
    text: 'Wrong file format',
    cause: 'The service does not accept this image format.',
    action: 'Convert the image.',
    ko: {
      text: 'Wrong file format',
      cause: '서비스에서 받지 않는 이미지 형식입니다.',
      action: '이미지를 허용된 형식으로 변환하십시오.',
    },
  },
  A207: {
    text: 'Wrong content disposition',
    cause: 'The form part has no name.',
    action: 'Send multipart/form-data as described in the reference.',
    ko: {
      text: 'Wrong content disposition',
      cause: '파트에 이름이 없습니다.',
      action: 'API 문서에 있는 대로 multipart/form-data를 보내십시오.',
    },
  },
  A208: {
    text: 'Wrong file name',
    cause: 'The form part has no usable file name.',
    action: 'Set a file name.',
    ko: {
      text: 'Wrong file name',
      cause: '파트에 쓸 수 있는 파일 이름이 없습니다.',
      action: '파일 이름을 지정하십시오.',
    },
  },
  A213: {
    text: 'Wrong upload request',
    cause: 'The request is not an upload of one file.',
    action: 'Send one part named file.',
    ko: {
      text: 'Wrong upload request',
      cause: '파일 하나의 업로드가 아닙니다.',
      action: '이름이 file인 파트 하나만 보내십시오.',
    },
  },
  A214: {
    text: 'Upload failed',
    cause: 'The file could not be stored.',
    action: 'Retry the upload.',
    ko: { text: 'Upload failed', cause: '파일을 저장하지 못했습니다.', action: '다시 업로드하십시오.' },
  },
  A217: {
    text: 'Invalid fileKey',
    cause:
      'The file is unknown, has expired, belongs to another account or was uploaded for another service.',
    action: 'Upload the file again for this service.',
    ko: {
      text: 'Invalid fileKey',
      cause: '알 수 없거나 만료되었거나, 다른 계정의 파일이거나, 다른 서비스용으로 올린 파일입니다.',
      action: '이 서비스용으로 파일을 다시 업로드하십시오.',
    },
  },
  A219: {
    text: 'Invalid serviceType',
    cause: 'The first path segment is not a service that accepts files.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid serviceType',
      cause: '경로의 첫 부분이 파일을 받는 서비스가 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A220: {
    text: 'Invalid msgType',
    cause: 'The second path segment does not belong to the service.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid msgType',
      cause: '경로의 두 번째 부분이 서비스와 맞지 않습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A250: {
    text: 'Invalid formId',
    cause: 'The form is unknown, has expired or belongs to another account.',
    action: 'Register the form again.',
    ko: {
      text: 'Invalid formId',
      cause: '알 수 없거나 만료되었거나 다른 계정의 폼입니다.',
      action: '폼을 다시 등록하십시오.',
    },
  },
  A300: {
    text: 'Wrong request',
    cause: 'A field is unknown, missing or misplaced, or the path does not exist.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Wrong request',
      cause: '모르는 필드가 있거나, 필수 필드가 없거나, 필드의 위치가 틀렸거나, 없는 경로입니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A302: {
    text: 'Invalid from',
    cause: 'The sender number is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid from',
      cause: '발신 번호가 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A303: {
    text: 'Invalid text',
    cause: 'The text is missing or contains a character that cannot be sent.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid text',
      cause: '본문이 없거나 보낼 수 없는 문자가 있습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A304: {
    text: 'Invalid ttl',
    cause: 'ttl is not a number of seconds in range.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid ttl',
      cause: 'ttl이 범위 안의 초 단위 숫자가 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A305: {
    text: 'Invalid ref',
    cause: 'ref exceeds 200 characters.',
    action: 'Correct the field named in the response.',
    ko: { text: 'Invalid ref', cause: 'ref가 200자를 넘었습니다.', action: '응답에 적힌 필드를 고치십시오.' },
  },
  A306: {
    text: 'Invalid to',
    cause: 'The recipient is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid to',
      cause: '수신 번호가 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A310: {
    text: 'Invalid paymentCode',
    cause: 'paymentCode exceeds 20 characters.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid paymentCode',
      cause: 'paymentCode가 20자를 넘었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A312: {
    text: 'Invalid fallback.type',
    cause: 'fallback.type is not SMS or MMS.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid fallback.type',
      cause: 'fallback.type이 SMS나 MMS가 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A314: {
    text: 'Invalid fallback.text',
    cause: 'fallback.text is missing or cannot be sent.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid fallback.text',
      cause: 'fallback.text가 없거나 보낼 수 없는 문자가 있습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A317: {
    text: 'Too many fallback.fileKey',
    cause: 'The list has more than 3 files.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Too many fallback.fileKey',
      cause: '파일이 3개를 넘었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A318: {
    text: 'Too many destinations',
    cause: 'The request has more than 10 destinations.',
    action: 'Split it into several requests.',
    ko: {
      text: 'Too many destinations',
      cause: '수신자가 10명을 넘었습니다.',
      action: '요청을 나누어 보내십시오.',
    },
  },
  A319: {
    text: 'Too many fileKey',
    cause: 'The list has more than 3 files.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Too many fileKey',
      cause: '파일이 3개를 넘었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A321: {
    text: 'Not for international',
    cause: 'An international message has a title or a fileKey.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Not for international',
      cause: '국제 문자에 제목이나 fileKey가 있습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A322: {
    text: 'Text not allowed',
    cause:
      'The text has something that it must not have, or a link to a domain that the account is not allowed to use.',
    action: 'Change the text as the result says; ask the operator to register the domain of a link.',
    ko: {
      text: 'Text not allowed',
      cause: '본문에 허용되지 않는 내용이 있거나, 계정이 쓸 수 없는 도메인의 링크가 있습니다.',
      action: 'result에 따라 본문을 고치십시오. 링크의 도메인은 운영자에게 등록을 요청하십시오.',
    },
  },
  A323: {
    text: 'Sender blocked',
    cause: 'The operator has blocked the sender for the account.',
    action: 'Contact the operator.',
    ko: {
      text: 'Sender blocked',
      cause: '운영자가 이 계정에 차단한 발신자입니다.',
      action: '운영자에게 문의하십시오.',
    },
  },
  A324: {
    text: 'Recipient opted out',
    cause: 'The recipient does not want advertisements of the account, or has not agreed to them.',
    action: 'Remove the recipient from the list of this advertisement.',
    ko: {
      text: 'Recipient opted out',
      cause: '계정의 광고를 원하지 않거나 수신에 동의하지 않은 수신자입니다.',
      action: '이 광고의 수신 목록에서 빼십시오.',
    },
  },
  A325: {
    text: 'Channel not allowed',
    cause: 'No request causes it: every account may use every channel.',
    action: 'Nothing.',
    ko: {
      text: 'Channel not allowed',
      cause: '모든 계정이 모든 채널을 사용할 수 있으므로 발생하지 않습니다.',
      action: '필요 없음.',
    },
  },
  A326: {
    text: 'Fallback channel not allowed',
    cause: 'No request causes it: every account may use every channel as a fallback.',
    action: 'Nothing.',
    ko: {
      text: 'Fallback channel not allowed',
      cause: '모든 계정이 모든 채널로 대체 발송할 수 있으므로 발생하지 않습니다.',
      action: '필요 없음.',
    },
  },
  A327: {
    text: 'Sender not registered',
    cause:
      'The sender is not registered for the account, not approved or past its end: a number, RCS brand or chatbot, Kakao sender key or template.',
    action: 'Ask the operator of the service to register it; the response names the field and the state.',
    ko: {
      text: 'Sender not registered',
      cause:
        '계정에 등록되지 않았거나, 승인되지 않았거나, 기간이 끝난 발신자입니다. 번호, RCS 브랜드나 챗봇, 카카오 발신 프로필이나 템플릿이 해당됩니다.',
      action: '운영자에게 등록을 요청하십시오. result에 필드와 상태가 적혀 있습니다.',
    },
  },
  A328: {
    text: 'Text too long',
    cause: 'The text exceeds the limit of its channel.',
    action: 'Shorten the text, or use a channel for longer texts.',
    ko: {
      text: 'Text too long',
      cause: '본문이 채널의 한도를 넘었습니다.',
      action: '본문을 줄이거나 더 긴 본문을 받는 채널로 보내십시오.',
    },
  },
  A329: {
    text: 'fallback.text too long',
    cause: 'The fallback text exceeds the limit of its type.',
    action: 'Shorten the text, or use type MMS.',
    ko: {
      text: 'fallback.text too long',
      cause: '대체 발송의 본문이 한도를 넘었습니다.',
      action: '본문을 줄이거나 MMS로 보내십시오.',
    },
  },
  A330: {
    text: 'Cannot be cancelled',
    cause:
      'No scheduled message with this msgKey is waiting: it is unknown, was not scheduled or has already been released.',
    action: 'Check its reports. A released message cannot be cancelled.',
    ko: {
      text: 'Cannot be cancelled',
      cause:
        '이 msgKey로 대기 중인 예약 메시지가 없습니다. 없는 키이거나, 예약하지 않았거나, 이미 발송을 시작했습니다.',
      action: '리포트를 확인하십시오. 발송을 시작한 메시지는 취소할 수 없습니다.',
    },
  },
  A331: {
    text: 'Unknown message',
    cause:
      'The account has no message with this msgKey: it never existed, is not recorded yet or is past its retention.',
    action:
      'Check the msgKey. A message just sent may take a moment to appear; messages are kept for 30 days.',
    ko: {
      text: 'Unknown message',
      cause:
        '계정에 이 msgKey의 메시지가 없습니다. 없는 키이거나, 아직 기록되지 않았거나, 보관 기간이 지났습니다.',
      action:
        'msgKey를 확인하십시오. 방금 보낸 메시지는 잠시 뒤에 조회됩니다. 메시지는 30일 동안 보관됩니다.',
    },
  },
  A340: {
    text: 'Wrong form of an advertisement',
    cause:
      'An advertisement lacks what the law demands of it, such as the mark (광고) at the beginning or the free opt-out at the end, or has it in another form.',
    action: 'Correct the text as the result says.',
    ko: {
      text: 'Wrong form of an advertisement',
      cause:
        '광고에 법에서 정한 표기가 없거나 형식이 다릅니다. 맨 앞의 (광고) 표시나 맨 끝의 무료 수신 거부가 그 예입니다.',
      action: 'result에 따라 본문을 고치십시오.',
    },
  },
  A341: {
    text: 'Advertisement in quiet hours',
    cause: 'The advertisement would be sent in hours in which none may be sent.',
    action:
      'Send it, or schedule it with sendAt, within the hours named in the result, or add a fallback that is no advertisement.',
    ko: {
      text: 'Advertisement in quiet hours',
      cause: '광고를 보낼 수 없는 시간에 발송됩니다.',
      action: 'result에 적힌 시간에 보내거나 sendAt으로 예약하거나, 광고가 아닌 대체 발송을 넣으십시오.',
    },
  },
  A342: {
    text: 'Country not enabled',
    cause: 'The country of the recipient is closed for the account. A new account has no open country.',
    action: 'Ask the operator to add it to the countries of the account, then send again.',
    ko: {
      text: 'Country not enabled',
      cause: '계정에 허용되지 않은 국가의 수신자입니다. 새 계정에는 허용된 국가가 없습니다.',
      action: '운영자에게 국가 허용을 요청하십시오.',
    },
  },
  A343: {
    text: 'Cap reached',
    cause: 'The account has sent as much as it may in this day or month.',
    action: 'Wait for the next day or month, or ask the operator for a higher cap.',
    ko: {
      text: 'Cap reached',
      cause: '계정의 하루 또는 한 달 발송 한도에 도달했습니다.',
      action: '다음 날이나 다음 달까지 기다리거나 운영자에게 한도 조정을 요청하십시오.',
    },
  },
  A344: {
    text: 'Too many to one recipient',
    cause: 'The account sends too much to one recipient, or to recipients with one prefix.',
    action: 'Send less often; contact the operator if it is legitimate.',
    ko: {
      text: 'Too many to one recipient',
      cause: '한 수신자 또는 앞자리가 같은 번호들에 너무 많이 보냈습니다.',
      action: '발송 횟수를 줄이십시오. 정상적인 발송이면 운영자에게 문의하십시오.',
    },
  },
  A345: {
    text: 'Codes are not used',
    cause: 'Few of the one-time codes that the account sent to this country were used.',
    action: 'Check who makes your service send codes; contact the operator if they are legitimate.',
    ko: {
      text: 'Codes are not used',
      cause: '이 국가로 보낸 인증번호가 거의 사용되지 않았습니다.',
      action: '인증번호를 누가 요청하는지 확인하십시오. 정상적인 요청이면 운영자에게 문의하십시오.',
    },
  },
  A350: {
    text: 'Unknown batch',
    cause: 'The account has no batch with this batchId: it never existed, or was deleted.',
    action: 'Check the batchId, or list your batches: GET /v1/batch.',
    ko: {
      text: 'Unknown batch',
      cause: '이 batchId의 배치가 계정에 없습니다. 존재한 적이 없거나 삭제되었습니다.',
      action: 'batchId를 확인하거나 GET /v1/batch로 배치 목록을 조회하십시오.',
    },
  },
  A351: {
    text: 'Not possible now',
    cause: 'The state of the batch does not allow the request, or it has no recipients yet.',
    action: 'Read the state of the batch, which the result names.',
    ko: {
      text: 'Not possible now',
      cause: '배치의 상태 때문에 요청을 처리할 수 없거나, 배치에 아직 수신자가 없습니다.',
      action: '결과에 적힌 배치의 상태를 확인하십시오.',
    },
  },
  A352: {
    text: 'Batch limit reached',
    cause: 'The account has too many batches that have not ended, or the batch has too many lines.',
    action: 'Wait for a batch to end, or cancel one; upload further lines to another batch.',
    ko: {
      text: 'Batch limit reached',
      cause: '끝나지 않은 배치가 너무 많거나, 배치의 줄 수가 너무 많습니다.',
      action: '배치가 끝나기를 기다리거나 취소하고, 나머지 수신자는 다른 배치에 올리십시오.',
    },
  },
  A353: {
    text: 'Batch storage full',
    cause: 'The batches of the account occupy as much as they may, in all states.',
    action:
      'Cancel a batch, which drops its recipients, wait until old ones are deleted, or ask the operator for more.',
    ko: {
      text: 'Batch storage full',
      cause: '계정의 배치가 허용된 저장 공간을 모두 사용했습니다. 모든 상태의 배치가 포함됩니다.',
      action:
        '배치를 취소하거나(수신자가 삭제됩니다) 오래된 배치가 삭제되기를 기다리거나, 운영자에게 증설을 요청하십시오.',
    },
  },
  A404: {
    text: 'Invalid formatId',
    cause: 'The format is unknown or does not fit the content.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid formatId',
      cause: '알 수 없는 포맷이거나 내용과 맞지 않습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A406: {
    text: 'Invalid button',
    cause: 'A button is malformed, or there are too many.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid button',
      cause: '버튼의 형식이 잘못되었거나 너무 많습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A407: {
    text: 'Invalid copyAllowed',
    cause: 'copyAllowed is not 0 or 1.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid copyAllowed',
      cause: 'copyAllowed가 0이나 1이 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A408: {
    text: 'Invalid expiryOption',
    cause: 'expiryOption is not 1, 2, 3 or 4.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid expiryOption',
      cause: 'expiryOption이 1, 2, 3, 4 중 하나가 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A409: {
    text: 'Invalid groupId',
    cause: 'groupId is malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid groupId',
      cause: 'groupId의 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A411: {
    text: 'Invalid header',
    cause: 'header is not 0 or 1.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid header',
      cause: 'header가 0이나 1이 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A412: {
    text: 'Invalid footer',
    cause: 'footer is missing with header 1, or too long.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid footer',
      cause: 'header가 1인데 footer가 없거나, footer가 너무 깁니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A413: {
    text: 'Invalid agencyId',
    cause: 'agencyId is malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid agencyId',
      cause: 'agencyId의 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A415: {
    text: 'Invalid content',
    cause: 'content is missing, or its kind does not match the format.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid content',
      cause: 'content가 없거나 종류가 포맷과 맞지 않습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A417: {
    text: 'Wrong number of cards',
    cause: 'The number of cards does not match the format.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Wrong number of cards',
      cause: '카드 수가 포맷과 맞지 않습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A418: {
    text: 'Invalid agencyKey',
    cause: 'agencyKey is malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid agencyKey',
      cause: 'agencyKey의 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A419: {
    text: 'Invalid brandId',
    cause: 'brandId is malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid brandId',
      cause: 'brandId의 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A420: {
    text: 'Invalid brandKey',
    cause: 'brandKey is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid brandKey',
      cause: 'brandKey가 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A424: {
    text: 'Invalid subContent',
    cause: 'There are too many sub-infos, or one is malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid subContent',
      cause: 'subContent가 너무 많거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A425: {
    text: 'Invalid buttons or body',
    cause: 'body and content are both given, or buttons are given without body.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid buttons or body',
      cause: 'body와 content를 함께 보냈거나, body 없이 buttons를 보냈습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A426: {
    text: 'Invalid button.type',
    cause: 'The type is not one of the nine button types.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid button.type',
      cause: '버튼 종류가 아홉 가지 중 하나가 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A427: {
    text: 'Invalid button.name',
    cause: 'The label is missing or too long for the format.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid button.name',
      cause: '버튼 이름이 없거나 포맷에 비해 너무 깁니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A428: {
    text: 'Invalid map location button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid map location button',
      cause: '버튼에 필요한 항목이 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A429: {
    text: 'Invalid map search button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid map search button',
      cause: '버튼에 필요한 항목이 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A430: {
    text: 'Invalid calendar button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid calendar button',
      cause: '버튼에 필요한 항목이 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A431: {
    text: 'Invalid copy button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid copy button',
      cause: '버튼에 필요한 항목이 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A432: {
    text: 'Invalid text message button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid text message button',
      cause: '버튼에 필요한 항목이 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A433: {
    text: 'Invalid call message button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid call message button',
      cause: '버튼에 필요한 항목이 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A434: {
    text: 'Invalid dial button',
    cause: 'A field of the button is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid dial button',
      cause: '버튼에 필요한 항목이 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A502: {
    text: 'Invalid senderKey',
    cause: 'senderKey is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid senderKey',
      cause: 'senderKey가 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A503: {
    text: 'Invalid button',
    cause: 'A button is malformed, or there are too many.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid button',
      cause: '버튼의 형식이 잘못되었거나 너무 많습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A505: {
    text: 'Invalid templateCode',
    cause: 'templateCode is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid templateCode',
      cause: 'templateCode가 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A506: {
    text: 'Invalid adFlag',
    cause: 'adFlag is not Y or N, or must be Y for this type.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid adFlag',
      cause: 'adFlag가 Y나 N이 아니거나, 이 종류에서는 Y여야 합니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A513: {
    text: 'Invalid image',
    cause: 'The image is missing or malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid image',
      cause: '이미지가 없거나 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A521: {
    text: 'Invalid item',
    cause: 'The item list is malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid item',
      cause: '아이템 리스트의 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A523: {
    text: 'Invalid msgType',
    cause: 'msgType is not one of the channel’s types.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid msgType',
      cause: 'msgType이 채널의 종류 중 하나가 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A524: {
    text: 'Invalid button.type',
    cause: 'The type is not one of the channel’s types.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid button.type',
      cause: '버튼 종류가 채널의 종류 중 하나가 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A525: {
    text: 'Invalid button.name',
    cause: 'The label is missing or too long.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid button.name',
      cause: '버튼 이름이 없거나 너무 깁니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A559: {
    text: 'Invalid price',
    cause: 'price or currencyType is malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid price',
      cause: 'price나 currencyType의 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A560: {
    text: 'Invalid itemHighlight',
    cause: 'itemHighlight is malformed or too long.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid itemHighlight',
      cause: 'itemHighlight의 형식이 잘못되었거나 너무 깁니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A561: {
    text: 'Invalid summary',
    cause: 'summary is malformed or too long.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid summary',
      cause: 'summary의 형식이 잘못되었거나 너무 깁니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A562: {
    text: 'Invalid quickReply',
    cause: 'A quick reply is malformed, or there are too many.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid quickReply',
      cause: '바로 연결의 형식이 잘못되었거나 너무 많습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A563: {
    text: 'Invalid quickReply.type',
    cause: 'The type is not one of the channel’s types.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid quickReply.type',
      cause: '바로 연결의 종류가 채널의 종류 중 하나가 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A564: {
    text: 'Invalid quickReply.name',
    cause: 'The label is missing or too long.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid quickReply.name',
      cause: '바로 연결의 이름이 없거나 너무 깁니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A565: {
    text: 'Invalid header',
    cause: 'header is missing or too long.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid header',
      cause: 'header가 없거나 너무 깁니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A567: {
    text: 'Invalid carousel',
    cause: 'The carousel is malformed.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid carousel',
      cause: '캐러셀의 형식이 잘못되었습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A568: {
    text: 'Invalid FC or FA',
    cause: 'The carousel does not match its type.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid FC or FA',
      cause: '캐러셀이 종류와 맞지 않습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A569: {
    text: 'Invalid adult',
    cause: 'adult is not Y or N.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid adult',
      cause: 'adult가 Y나 N이 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A570: {
    text: 'Invalid targeting',
    cause: 'targeting is missing or not one of M, N and I.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid targeting',
      cause: 'targeting이 없거나 M, N, I 중 하나가 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A571: {
    text: 'Invalid sendType',
    cause: 'sendType is not basic or free.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid sendType',
      cause: 'sendType이 basic이나 free가 아닙니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A573: {
    text: 'Invalid attachment',
    cause: 'attachment is malformed or does not match msgType.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid attachment',
      cause: 'attachment의 형식이 잘못되었거나 msgType과 맞지 않습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A802: {
    text: 'No permission to Pull API',
    cause: 'The account is not allowed to use the polling endpoints.',
    action: 'Contact the operator.',
    ko: {
      text: 'No permission to Pull API',
      cause: '폴링 API를 사용할 수 없는 계정입니다.',
      action: '운영자에게 문의하십시오.',
    },
  },
  A805: {
    text: 'Invalid Report ID(Pull API)',
    cause: 'The account has no outstanding batch with this reportId.',
    action: 'Poll again and acknowledge the reportId of that response.',
    ko: {
      text: 'Invalid Report ID(Pull API)',
      cause: '수신 확인을 기다리는 묶음 중에 이 reportId가 없습니다.',
      action: '다시 폴링하고 그 응답의 reportId로 수신 확인하십시오.',
    },
  },
  A806: {
    text: 'Invalid cursor',
    cause: 'The cursor is malformed or belongs to another account.',
    action: 'Use a cursor that the stream returned, or start without one.',
    ko: {
      text: 'Invalid cursor',
      cause: 'cursor의 형식이 잘못되었거나 다른 계정의 것입니다.',
      action: '스트림에서 받은 cursor를 사용하거나 cursor 없이 시작하십시오.',
    },
  },
  A807: {
    text: 'Invalid consumer',
    cause: 'The name of the consumer is malformed, or the account has the maximum number of consumers.',
    action: 'Use a valid name, or an existing consumer.',
    ko: {
      text: 'Invalid consumer',
      cause: 'consumer 이름의 형식이 잘못되었거나, 계정의 consumer 수가 한도에 도달했습니다.',
      action: '올바른 이름을 쓰거나 이미 있는 consumer를 사용하십시오.',
    },
  },
  A850: {
    text: 'Invalid webhookId',
    cause: 'The webhook is unknown or belongs to another account.',
    action: 'List your webhooks: GET /v1/webhook.',
    ko: {
      text: 'Invalid webhookId',
      cause: '알 수 없거나 다른 계정의 웹훅입니다.',
      action: 'GET /v1/webhook으로 웹훅 목록을 확인하십시오.',
    },
  },
  A851: {
    text: 'Invalid url',
    cause: 'The URL of the webhook is malformed or does not resolve to a public address.',
    action: 'Use a public https URL without user name and password; http only where the operator allows it.',
    ko: {
      text: 'Invalid url',
      cause: '웹훅 URL의 형식이 잘못되었거나 공개 주소가 아닙니다.',
      action:
        '사용자 이름과 비밀번호가 없는 공개 https 주소를 사용하십시오. http는 운영자가 허용한 경우에만 쓸 수 있습니다.',
    },
  },
  A852: {
    text: 'Too many webhooks',
    cause: 'The account already has 20 webhooks.',
    action: 'Delete one, or change one with PUT.',
    ko: {
      text: 'Too many webhooks',
      cause: '계정에 이미 웹훅이 20개 있습니다.',
      action: '하나를 삭제하거나 PUT으로 변경하십시오.',
    },
  },
  A853: {
    text: 'Invalid webhook setting',
    cause: 'A setting has the wrong type or is out of range.',
    action: 'Correct the field named in the response.',
    ko: {
      text: 'Invalid webhook setting',
      cause: '설정의 타입이 다르거나 범위를 벗어났습니다.',
      action: '응답에 적힌 필드를 고치십시오.',
    },
  },
  A854: {
    text: 'Invalid replay',
    cause: 'The replay selects no report of the account, or a time more than 3 days ago.',
    action: 'Send one of msgKey, failedSince and allSince. Query older reports by msgKey.',
    ko: {
      text: 'Invalid replay',
      cause: '재전송할 리포트가 없거나 3일보다 오래된 시각입니다.',
      action: 'msgKey, failedSince, allSince 중 하나를 보내십시오. 더 오래된 리포트는 msgKey로 조회하십시오.',
    },
  },
  A920: {
    text: 'Service busy',
    cause: 'The database, the broker or Redis is unavailable, or the reserve for such a time is used up.',
    action:
      'Retry after the time in Retry-After. Unless Message-Accepted or acceptance of the destination is no, retry a send only with the same Idempotency-Key: without one the message may be sent twice.',
    ko: {
      text: 'Service busy',
      cause: '데이터베이스, 브로커 또는 Redis를 사용할 수 없거나, 그에 대비한 여유가 모두 사용되었습니다.',
      action:
        'Retry-After의 시간이 지난 뒤 다시 보내십시오. Message-Accepted 또는 수신자의 acceptance가 no가 아니면 접수되었을 수 있으므로 같은 Idempotency-Key로만 다시 보내십시오. 키가 없으면 두 번 발송될 수 있습니다.',
    },
  },
  A999: {
    text: 'Unknown error',
    cause: 'The gateway failed internally.',
    action:
      'A send may have been accepted: retry it only with the same Idempotency-Key. Contact the operator if the error persists.',
    ko: {
      text: 'Unknown error',
      cause: '게이트웨이 내부 오류입니다.',
      action:
        '발송은 접수되었을 수 있으므로 같은 Idempotency-Key로만 다시 보내십시오. 계속되면 운영자에게 문의하십시오.',
    },
  },
  10000: {
    text: 'Delivered',
    cause: 'The carrier confirmed that the phone has the message.',
    action: 'Nothing.',
    outcome: 'delivered',
    ko: { text: '전달 완료', cause: '통신사가 단말 수신을 확인했습니다.', action: '필요 없음.' },
  },
  22000: {
    text: 'No delivery within the time allowed',
    cause: 'The phone was off or out of reach, or the carrier sent no receipt in time.',
    action: 'The recipient may have the message. Send it again only if receiving it twice does no harm.',
    outcome: 'unknown',
    ko: {
      text: '유효 시간 내 전달되지 않음',
      cause: '단말이 꺼져 있거나 서비스 지역 밖에 있거나, 통신사 결과가 제때 오지 않았습니다.',
      action: '이미 전달되었을 수 있습니다. 두 번 받아도 괜찮은 경우에만 다시 보내십시오.',
    },
  },
  22002: {
    text: 'Radio failure',
    cause: 'The network could not reach the phone over the air.',
    action: 'Send again after some minutes.',
    outcome: 'failed',
    ko: {
      text: '무선 구간 오류',
      cause: '무선망에서 단말에 연결하지 못했습니다.',
      action: '몇 분 뒤 다시 보내십시오.',
    },
  },
  22003: {
    text: 'Phone switched off',
    cause: 'The phone stayed off until the carrier gave up.',
    action: 'Send again later.',
    outcome: 'failed',
    ko: {
      text: '단말 전원 꺼짐',
      cause: '통신사가 포기할 때까지 단말이 꺼져 있었습니다.',
      action: '나중에 다시 보내십시오.',
    },
  },
  22004: {
    text: 'Message memory of the phone full',
    cause: 'The message memory of the phone is full.',
    action: 'Ask the recipient to delete messages; send again later.',
    outcome: 'failed',
    ko: {
      text: '단말 메시지함 가득 참',
      cause: '단말에 메시지를 저장할 공간이 없습니다.',
      action: '수신자에게 메시지 삭제를 안내하고 나중에 다시 보내십시오.',
    },
  },
  22005: {
    text: 'Phone in a shadow area',
    cause: 'The phone has no network coverage.',
    action: 'Send again later.',
    outcome: 'failed',
    ko: {
      text: '음영 지역',
      cause: '단말이 통신이 닿지 않는 곳에 있습니다.',
      action: '나중에 다시 보내십시오.',
    },
  },
  22006: {
    text: 'Temporary failure at the carrier',
    cause: "The carrier's network was disturbed or overloaded.",
    action: 'Send again later; if many messages fail, contact the operator.',
    outcome: 'failed',
    ko: {
      text: '통신사 일시 장애',
      cause: '통신사 망에 장애나 과부하가 있었습니다.',
      action: '나중에 다시 보내고, 다수 실패하면 운영자에게 문의하십시오.',
    },
  },
  23000: {
    text: 'Delivery failed',
    cause: 'The carrier gave up without a specific reason.',
    action: 'Check the number; if other messages on the same route fail too, contact the operator.',
    outcome: 'failed',
    ko: {
      text: '전달 실패',
      cause: '통신사가 구체적인 사유 없이 실패로 처리했습니다.',
      action: '번호를 확인하고, 다른 건도 실패하면 운영자에게 문의하십시오.',
    },
  },
  23001: {
    text: 'No such subscriber',
    cause: 'The number is not in service or has been disconnected.',
    action: 'Remove the number from your list.',
    outcome: 'failed',
    ko: { text: '결번', cause: '없거나 해지된 번호입니다.', action: '수신 목록에서 번호를 삭제하십시오.' },
  },
  23003: {
    text: 'Wrong recipient number',
    cause: 'The carrier does not accept this number: it is incorrect or of an unsupported kind.',
    action: 'Correct the number before sending again.',
    outcome: 'failed',
    ko: {
      text: '수신 번호 오류',
      cause: '자릿수 또는 번호 종류가 맞지 않아 통신사가 받지 않습니다.',
      action: '번호를 바로잡고, 그대로 다시 보내지 마십시오.',
    },
  },
  23006: {
    text: 'Refused by the carrier',
    cause: 'The carrier rejected the message, often because of its content or its sender.',
    action: 'Check sender and content; the operator can look up the carrier code.',
    outcome: 'failed',
    ko: {
      text: '통신사 거절',
      cause: '내용이나 발신 번호 때문에 통신사가 접수를 거절했습니다.',
      action: '발신 번호와 내용을 확인하고 운영자에게 통신사 코드를 문의하십시오.',
    },
  },
  23010: {
    text: 'Not supported by the phone',
    cause: 'The phone, its software or its subscription cannot show this kind of message.',
    action: 'Send a text message, or add a fallback to the flow.',
    outcome: 'failed',
    ko: {
      text: '단말 미지원',
      cause: '단말, 소프트웨어 또는 가입 상품이 이 메시지 종류를 지원하지 않습니다.',
      action: '문자로 보내거나 대체 발송을 설정하십시오.',
    },
  },
  23012: {
    text: 'Blocked as spam',
    cause: 'A spam filter of the carrier or of the recipient blocked the message.',
    action: 'Check links and wording, and that advertisement marks are present.',
    outcome: 'failed',
    ko: {
      text: '스팸 차단',
      cause: '통신사 또는 수신자의 필터가 스팸으로 판단했습니다.',
      action: '링크와 문구, 광고 표기를 확인하십시오.',
    },
  },
  23016: {
    text: 'Attachment not acceptable',
    cause: 'The image or file is too large, has an unsupported format or could not be fetched.',
    action: 'Upload a file within the limits and send again.',
    outcome: 'failed',
    ko: {
      text: '첨부 파일 오류',
      cause: '이미지나 파일이 너무 크거나 형식이 다르거나 받을 수 없습니다.',
      action: '제한에 맞게 다시 등록한 뒤 보내십시오.',
    },
  },
  23023: {
    text: 'Sender number not registered',
    cause: 'The sender is not registered with the carrier for this account.',
    action: 'Register the sender, then send again.',
    outcome: 'failed',
    ko: {
      text: '발신 번호 미등록',
      cause: '이 계정의 발신 번호로 통신사에 등록되어 있지 않습니다.',
      action: '발신 번호를 등록한 뒤 다시 보내십시오.',
    },
  },
  23025: {
    text: 'Duplicate message',
    cause: 'The carrier received the same message to the same recipient shortly before.',
    action: 'Nothing if it was sent twice; otherwise change the text.',
    outcome: 'failed',
    ko: {
      text: '중복 메시지',
      cause: '같은 수신자에게 같은 메시지가 조금 전에 접수되었습니다.',
      action: '중복 발송이 아니라면 문구를 바꾸십시오.',
    },
  },
  23029: {
    text: 'Advertisement in barred hours',
    cause: 'Advertisements must not be delivered at this hour.',
    action: 'Send it within the allowed hours.',
    outcome: 'failed',
    ko: {
      text: '광고 발송 제한 시간',
      cause: '이 시간에는 광고를 보낼 수 없습니다.',
      action: '허용 시간에 보내십시오.',
    },
  },
  23034: {
    text: 'Wrong file key',
    cause: 'The file is unknown to the carrier or has expired there.',
    action: 'Upload the file again and use its new key.',
    outcome: 'failed',
    ko: {
      text: '파일 키 오류',
      cause: '통신사에 파일이 없거나 유효 기간이 지났습니다.',
      action: '파일을 다시 업로드하고 새 키를 사용하십시오.',
    },
  },
  23036: {
    text: 'Wrong originCID',
    cause: 'originCID is incorrect or not registered at the carrier.',
    action: 'Correct originCID, or register it.',
    outcome: 'failed',
    ko: {
      text: 'originCID 오류',
      cause: '최초 발신사 식별 코드가 없거나 잘못되었습니다.',
      action: 'originCID를 바로잡거나 등록하십시오.',
    },
  },
  32000: {
    text: 'No delivery within the time allowed',
    cause: 'The phone was off or out of reach, or the carrier sent no receipt in time.',
    action: 'The recipient may have the message. Send it again only if receiving it twice does no harm.',
    outcome: 'unknown',
    ko: {
      text: '유효 시간 내 전달되지 않음',
      cause: '단말이 꺼져 있거나 서비스 지역 밖에 있거나, 통신사 결과가 제때 오지 않았습니다.',
      action: '이미 전달되었을 수 있습니다. 두 번 받아도 괜찮은 경우에만 다시 보내십시오.',
    },
  },
  32002: {
    text: 'Radio failure',
    cause: 'The network could not reach the phone over the air.',
    action: 'Send again after some minutes.',
    outcome: 'failed',
    ko: {
      text: '무선 구간 오류',
      cause: '무선망에서 단말에 연결하지 못했습니다.',
      action: '몇 분 뒤 다시 보내십시오.',
    },
  },
  32003: {
    text: 'Phone switched off',
    cause: 'The phone stayed off until the carrier gave up.',
    action: 'Send again later.',
    outcome: 'failed',
    ko: {
      text: '단말 전원 꺼짐',
      cause: '통신사가 포기할 때까지 단말이 꺼져 있었습니다.',
      action: '나중에 다시 보내십시오.',
    },
  },
  32004: {
    text: 'Message memory of the phone full',
    cause: 'The message memory of the phone is full.',
    action: 'Ask the recipient to delete messages; send again later.',
    outcome: 'failed',
    ko: {
      text: '단말 메시지함 가득 참',
      cause: '단말에 메시지를 저장할 공간이 없습니다.',
      action: '수신자에게 메시지 삭제를 안내하고 나중에 다시 보내십시오.',
    },
  },
  32005: {
    text: 'Phone in a shadow area',
    cause: 'The phone has no network coverage.',
    action: 'Send again later.',
    outcome: 'failed',
    ko: {
      text: '음영 지역',
      cause: '단말이 통신이 닿지 않는 곳에 있습니다.',
      action: '나중에 다시 보내십시오.',
    },
  },
  32006: {
    text: 'Temporary failure at the carrier',
    cause: "The carrier's network was disturbed or overloaded.",
    action: 'Send again later; if many messages fail, contact the operator.',
    outcome: 'failed',
    ko: {
      text: '통신사 일시 장애',
      cause: '통신사 망에 장애나 과부하가 있었습니다.',
      action: '나중에 다시 보내고, 다수 실패하면 운영자에게 문의하십시오.',
    },
  },
  33000: {
    text: 'Delivery failed',
    cause: 'The carrier gave up without a specific reason.',
    action: 'Check the number; if other messages on the same route fail too, contact the operator.',
    outcome: 'failed',
    ko: {
      text: '전달 실패',
      cause: '통신사가 구체적인 사유 없이 실패로 처리했습니다.',
      action: '번호를 확인하고, 다른 건도 실패하면 운영자에게 문의하십시오.',
    },
  },
  33001: {
    text: 'No such subscriber',
    cause: 'The number is not in service or has been disconnected.',
    action: 'Remove the number from your list.',
    outcome: 'failed',
    ko: { text: '결번', cause: '없거나 해지된 번호입니다.', action: '수신 목록에서 번호를 삭제하십시오.' },
  },
  33003: {
    text: 'Wrong recipient number',
    cause: 'The carrier does not accept this number: it is incorrect or of an unsupported kind.',
    action: 'Correct the number before sending again.',
    outcome: 'failed',
    ko: {
      text: '수신 번호 오류',
      cause: '자릿수 또는 번호 종류가 맞지 않아 통신사가 받지 않습니다.',
      action: '번호를 바로잡고, 그대로 다시 보내지 마십시오.',
    },
  },
  33006: {
    text: 'Refused by the carrier',
    cause: 'The carrier rejected the message, often because of its content or its sender.',
    action: 'Check sender and content; the operator can look up the carrier code.',
    outcome: 'failed',
    ko: {
      text: '통신사 거절',
      cause: '내용이나 발신 번호 때문에 통신사가 접수를 거절했습니다.',
      action: '발신 번호와 내용을 확인하고 운영자에게 통신사 코드를 문의하십시오.',
    },
  },
  33012: {
    text: 'Blocked as spam',
    cause: 'A spam filter of the carrier or of the recipient blocked the message.',
    action: 'Check links and wording, and that advertisement marks are present.',
    outcome: 'failed',
    ko: {
      text: '스팸 차단',
      cause: '통신사 또는 수신자의 필터가 스팸으로 판단했습니다.',
      action: '링크와 문구, 광고 표기를 확인하십시오.',
    },
  },
  33023: {
    text: 'Sender number not registered',
    cause: 'The sender is not registered with the carrier for this account.',
    action: 'Register the sender, then send again.',
    outcome: 'failed',
    ko: {
      text: '발신 번호 미등록',
      cause: '이 계정의 발신 번호로 통신사에 등록되어 있지 않습니다.',
      action: '발신 번호를 등록한 뒤 다시 보내십시오.',
    },
  },
  33025: {
    text: 'Duplicate message',
    cause: 'The carrier received the same message to the same recipient shortly before.',
    action: 'Nothing if it was sent twice; otherwise change the text.',
    outcome: 'failed',
    ko: {
      text: '중복 메시지',
      cause: '같은 수신자에게 같은 메시지가 조금 전에 접수되었습니다.',
      action: '중복 발송이 아니라면 문구를 바꾸십시오.',
    },
  },
  33029: {
    text: 'Advertisement in barred hours',
    cause: 'Advertisements must not be delivered at this hour.',
    action: 'Send it within the allowed hours.',
    outcome: 'failed',
    ko: {
      text: '광고 발송 제한 시간',
      cause: '이 시간에는 광고를 보낼 수 없습니다.',
      action: '허용 시간에 보내십시오.',
    },
  },
  33036: {
    text: 'Wrong originCID',
    cause: 'originCID is incorrect or not registered at the carrier.',
    action: 'Correct originCID, or register it.',
    outcome: 'failed',
    ko: {
      text: 'originCID 오류',
      cause: '최초 발신사 식별 코드가 없거나 잘못되었습니다.',
      action: 'originCID를 바로잡거나 등록하십시오.',
    },
  },
  33101: {
    text: 'The phone does not support RCS',
    cause: 'The phone or its carrier does not support RCS, or RCS is switched off.',
    action: 'Add a text message as fallback to the flow.',
    outcome: 'failed',
    ko: {
      text: 'RCS 미지원 단말',
      cause: '단말이나 통신사가 RCS를 지원하지 않거나 꺼져 있습니다.',
      action: '문자 대체 발송을 설정하십시오.',
    },
  },
  33102: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '헤더 또는 푸터 오류',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  33103: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '헤더 또는 푸터 오류',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  33104: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '헤더 또는 푸터 오류',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  33105: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '헤더 또는 푸터 오류',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  33106: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '헤더 또는 푸터 오류',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  33107: {
    text: 'Header or footer not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '헤더 또는 푸터 오류',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  33109: {
    text: 'Title not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '제목 오류',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  33110: {
    text: 'Text not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '본문 오류',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  33111: {
    text: 'Buttons not acceptable',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '버튼 오류',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  33120: {
    text: 'Attachment not acceptable',
    cause: 'The image or file is too large, has an unsupported format or could not be fetched.',
    action: 'Upload a file within the limits and send again.',
    outcome: 'failed',
    ko: {
      text: '첨부 파일 오류',
      cause: '이미지나 파일이 너무 크거나 형식이 다르거나 받을 수 없습니다.',
      action: '제한에 맞게 다시 등록한 뒤 보내십시오.',
    },
  },
  33121: {
    text: 'Wrong messagebase',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '메시지베이스 오류',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  33200: {
    text: 'Wrong brand',
    cause: 'The brand, contract or account is unknown to the carrier or has no right to send.',
    action: 'Check the keys of the message; register what is missing, then send again.',
    outcome: 'failed',
    ko: {
      text: '브랜드 오류',
      cause: '브랜드, 계약 또는 계정이 등록되어 있지 않거나 발송 권한이 없습니다.',
      action: '메시지의 키를 확인하고 등록한 뒤 다시 보내십시오.',
    },
  },
  61003: {
    text: 'Wrong sender key',
    cause: 'The sender key is unknown to the messenger, blocked, or belongs to another account.',
    action: 'Correct the sender key.',
    outcome: 'failed',
    ko: {
      text: '발신 프로필 키 오류',
      cause: '발신 프로필 키가 없거나 차단되었거나 이 계정의 것이 아닙니다.',
      action: '발신 프로필 키를 바로잡으십시오.',
    },
  },
  61006: {
    text: 'Sender profile deleted',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
    ko: {
      text: '삭제된 발신 프로필',
      cause: '메신저가 발신 채널을 차단, 제재하거나 채널이 닫혔습니다.',
      action: '메신저에서 채널 상태를 확인하십시오.',
    },
  },
  61007: {
    text: 'Sender profile blocked',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
    ko: {
      text: '차단된 발신 프로필',
      cause: '메신저가 발신 채널을 차단, 제재하거나 채널이 닫혔습니다.',
      action: '메신저에서 채널 상태를 확인하십시오.',
    },
  },
  61011: {
    text: 'No contract found',
    cause: 'The brand, contract or account is unknown to the carrier or has no right to send.',
    action: 'Check the keys of the message; register what is missing, then send again.',
    outcome: 'failed',
    ko: {
      text: '계약 정보 없음',
      cause: '브랜드, 계약 또는 계정이 등록되어 있지 않거나 발송 권한이 없습니다.',
      action: '메시지의 키를 확인하고 등록한 뒤 다시 보내십시오.',
    },
  },
  61021: {
    text: 'Channel blocked',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
    ko: {
      text: '차단된 카카오톡 채널',
      cause: '메신저가 발신 채널을 차단, 제재하거나 채널이 닫혔습니다.',
      action: '메신저에서 채널 상태를 확인하십시오.',
    },
  },
  61022: {
    text: 'Channel closed',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
    ko: {
      text: '닫힌 카카오톡 채널',
      cause: '메신저가 발신 채널을 차단, 제재하거나 채널이 닫혔습니다.',
      action: '메신저에서 채널 상태를 확인하십시오.',
    },
  },
  61023: {
    text: 'Channel deleted',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
    ko: {
      text: '삭제된 카카오톡 채널',
      cause: '메신저가 발신 채널을 차단, 제재하거나 채널이 닫혔습니다.',
      action: '메신저에서 채널 상태를 확인하십시오.',
    },
  },
  61024: {
    text: 'Channel about to be deleted',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
    ko: {
      text: '삭제 대기 중인 카카오톡 채널',
      cause: '메신저가 발신 채널을 차단, 제재하거나 채널이 닫혔습니다.',
      action: '메신저에서 채널 상태를 확인하십시오.',
    },
  },
  61025: {
    text: 'Channel restricted',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
    ko: {
      text: '제재 상태의 카카오톡 채널',
      cause: '메신저가 발신 채널을 차단, 제재하거나 채널이 닫혔습니다.',
      action: '메신저에서 채널 상태를 확인하십시오.',
    },
  },
  61027: {
    text: 'Messages of the channel restricted',
    cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
    action: 'Check the state of the channel at the messenger.',
    outcome: 'failed',
    ko: {
      text: '메시지 제재 상태의 카카오톡 채널',
      cause: '메신저가 발신 채널을 차단, 제재하거나 채널이 닫혔습니다.',
      action: '메신저에서 채널 상태를 확인하십시오.',
    },
  },
  63005: {
    text: 'No confirmation from the messenger',
    cause: 'The messenger did not confirm the delivery in time.',
    action: 'The recipient may have the message. Send it again only if receiving it twice does no harm.',
    outcome: 'unknown',
    ko: {
      text: '메신저 수신 확인 없음',
      cause: '메신저가 제때 수신 여부를 알려 주지 않았습니다.',
      action: '이미 전달되었을 수 있습니다. 두 번 받아도 괜찮은 경우에만 다시 보내십시오.',
    },
  },
  63008: {
    text: 'Wrong recipient number',
    cause: 'The carrier does not accept this number: it is incorrect or of an unsupported kind.',
    action: 'Correct the number before sending again.',
    outcome: 'failed',
    ko: {
      text: '수신 번호 오류',
      cause: '자릿수 또는 번호 종류가 맞지 않아 통신사가 받지 않습니다.',
      action: '번호를 바로잡고, 그대로 다시 보내지 마십시오.',
    },
  },
  63013: {
    text: 'Message empty',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '빈 메시지',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  63014: {
    text: 'Message too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '메시지 길이 초과',
      cause: '변수를 채운 뒤 항목이 허용 길이를 넘었습니다.',
      action: '항목을 줄여 다시 보내십시오.',
    },
  },
  63015: {
    text: 'Template not found',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '템플릿 없음',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  63016: {
    text: 'Text differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '메시지 내용이 템플릿과 다름',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  63018: {
    text: 'The recipient cannot receive messages',
    cause: 'The phone or the messenger of the recipient cannot receive this message.',
    action: 'Add a text message as fallback to the flow.',
    outcome: 'failed',
    ko: {
      text: '메시지를 받을 수 없는 수신자',
      cause: '수신자의 단말 또는 메신저가 이 메시지를 받을 수 없습니다.',
      action: '문자 대체 발송을 설정하십시오.',
    },
  },
  63019: {
    text: 'Not a user of the messenger',
    cause: 'The number has no account with the messenger.',
    action: 'Send a text message instead.',
    outcome: 'failed',
    ko: {
      text: '메신저 미사용자',
      cause: '이 번호로 가입한 메신저 사용자가 없습니다.',
      action: '문자로 보내십시오.',
    },
  },
  63020: {
    text: 'Blocked by the recipient',
    cause: 'The recipient has blocked the channel or this kind of message.',
    action: 'Do not send to this recipient on this channel.',
    outcome: 'failed',
    ko: {
      text: '수신자 차단',
      cause: '수신자가 채널 또는 이 종류의 메시지를 차단했습니다.',
      action: '이 채널로 보내지 마십시오.',
    },
  },
  63021: {
    text: 'The messenger of the recipient is too old',
    cause: 'The phone or the messenger of the recipient cannot receive this message.',
    action: 'Add a text message as fallback to the flow.',
    outcome: 'failed',
    ko: {
      text: '카카오톡 최소 버전 미지원',
      cause: '수신자의 단말 또는 메신저가 이 메시지를 받을 수 없습니다.',
      action: '문자 대체 발송을 설정하십시오.',
    },
  },
  63022: {
    text: 'Advertisement in barred hours',
    cause: 'Advertisements must not be delivered at this hour.',
    action: 'Send it within the allowed hours.',
    outcome: 'failed',
    ko: {
      text: '광고 발송 제한 시간',
      cause: '이 시간에는 광고를 보낼 수 없습니다.',
      action: '허용 시간에 보내십시오.',
    },
  },
  63024: {
    text: 'Attachment not acceptable',
    cause: 'The image or file is too large, has an unsupported format or could not be fetched.',
    action: 'Upload a file within the limits and send again.',
    outcome: 'failed',
    ko: {
      text: '첨부 파일 오류',
      cause: '이미지나 파일이 너무 크거나 형식이 다르거나 받을 수 없습니다.',
      action: '제한에 맞게 다시 등록한 뒤 보내십시오.',
    },
  },
  63025: {
    text: 'Variable too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '변수 길이 초과',
      cause: '변수를 채운 뒤 항목이 허용 길이를 넘었습니다.',
      action: '항목을 줄여 다시 보내십시오.',
    },
  },
  63026: {
    text: 'Extra or event of a button too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '버튼 extra, event 길이 초과',
      cause: '변수를 채운 뒤 항목이 허용 길이를 넘었습니다.',
      action: '항목을 줄여 다시 보내십시오.',
    },
  },
  63027: {
    text: 'Buttons differ from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '버튼이 템플릿과 다름',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  63028: {
    text: 'Title differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '강조 타이틀이 템플릿과 다름',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  63029: {
    text: 'Title too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '강조 타이틀 길이 초과',
      cause: '변수를 채운 뒤 항목이 허용 길이를 넘었습니다.',
      action: '항목을 줄여 다시 보내십시오.',
    },
  },
  63030: {
    text: 'Type differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '메시지 타입이 템플릿과 다름',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  63031: {
    text: 'Header differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '헤더가 템플릿과 다름',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  63032: {
    text: 'Header too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '헤더 길이 초과',
      cause: '변수를 채운 뒤 항목이 허용 길이를 넘었습니다.',
      action: '항목을 줄여 다시 보내십시오.',
    },
  },
  63033: {
    text: 'Item highlight differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '하이라이트가 템플릿과 다름',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  63034: {
    text: 'Title of the item highlight too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '하이라이트 타이틀 길이 초과',
      cause: '변수를 채운 뒤 항목이 허용 길이를 넘었습니다.',
      action: '항목을 줄여 다시 보내십시오.',
    },
  },
  63035: {
    text: 'Description of the item highlight too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '하이라이트 설명 길이 초과',
      cause: '변수를 채운 뒤 항목이 허용 길이를 넘었습니다.',
      action: '항목을 줄여 다시 보내십시오.',
    },
  },
  63036: {
    text: 'Items differ from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '아이템 리스트가 템플릿과 다름',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  63037: {
    text: 'Description of an item too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '아이템 설명 길이 초과',
      cause: '변수를 채운 뒤 항목이 허용 길이를 넘었습니다.',
      action: '항목을 줄여 다시 보내십시오.',
    },
  },
  63038: {
    text: 'Item summary differs from the template',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '아이템 요약이 템플릿과 다름',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  63039: {
    text: 'Description of the item summary too long',
    cause: 'A field is longer than the carrier allows after variables were filled in.',
    action: 'Shorten the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '아이템 요약 설명 길이 초과',
      cause: '변수를 채운 뒤 항목이 허용 길이를 넘었습니다.',
      action: '항목을 줄여 다시 보내십시오.',
    },
  },
  63040: {
    text: 'Item summary with a wrong character',
    cause: 'The carrier does not accept a field of the message.',
    action: 'Correct the field, then send again.',
    outcome: 'failed',
    ko: {
      text: '아이템 요약에 허용되지 않은 문자',
      cause: '메시지의 항목을 통신사가 받지 않습니다.',
      action: '항목을 바로잡아 다시 보내십시오.',
    },
  },
  64008: {
    text: 'The account has no right',
    cause: 'The brand, contract or account is unknown to the carrier or has no right to send.',
    action: 'Check the keys of the message; register what is missing, then send again.',
    outcome: 'failed',
    ko: {
      text: '계정 권한 없음',
      cause: '브랜드, 계약 또는 계정이 등록되어 있지 않거나 발송 권한이 없습니다.',
      action: '메시지의 키를 확인하고 등록한 뒤 다시 보내십시오.',
    },
  },
  64133: {
    text: 'Template stopped',
    cause: 'The message does not agree with an approved template.',
    action: 'Compare the message with its template, then send again.',
    outcome: 'failed',
    ko: {
      text: '중지된 템플릿',
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
  },
  69999: {
    text: 'Delivery failed',
    cause: 'The messenger gave up for a reason without a report code.',
    action: 'Check the carrier code of the attempt; add a fallback to the flow.',
    outcome: 'failed',
    ko: {
      text: '전달 실패',
      cause: '메신저가 별도 코드가 없는 사유로 실패 처리했습니다.',
      action: '시도별 통신사 코드를 확인하고 대체 발송을 설정하십시오.',
    },
  },
  90000: {
    text: 'No route for this message',
    cause: 'The operator has no route for this channel, or all are disabled.',
    action: 'Contact the operator.',
    outcome: 'failed',
    ko: {
      text: '발송 경로 없음',
      cause: '이 채널을 처리하는 경로가 없거나 모두 중지되었습니다.',
      action: '운영자에게 문의하십시오. 운영자는 모든 경로와 상태를 볼 수 있습니다.',
    },
  },
  90010: {
    text: 'Cancelled before sending',
    cause: 'The client cancelled the message, or its batch, before it was sent.',
    action: 'Nothing.',
    outcome: 'failed',
    ko: {
      text: '발송 전 취소',
      cause: '발송 전에 고객이 메시지나 배치를 취소했습니다.',
      action: '필요 없음.',
    },
  },
  90011: {
    text: 'The account is stopped',
    cause: 'The operator stopped the account before the message was sent.',
    action: 'Contact the operator.',
    outcome: 'failed',
    ko: {
      text: '정지된 계정',
      cause: '메시지가 발송되기 전에 운영자가 계정을 정지했습니다.',
      action: '운영자에게 문의하십시오.',
    },
  },
  90012: {
    text: 'The recipient has opted out',
    cause: 'The recipient opted out of advertisements after the message was accepted.',
    action: 'Do not send advertisements to this recipient.',
    outcome: 'failed',
    ko: {
      text: '수신 거부',
      cause: '메시지가 접수된 뒤 수신자가 광고 수신을 거부했습니다.',
      action: '이 수신자에게 광고를 보내지 마십시오.',
    },
  },
  90013: {
    text: 'Cap of the account reached',
    cause: 'The account had reached its cap when the message was due.',
    action: 'Send it in the next day or month, or ask the operator for a higher cap.',
    outcome: 'failed',
    ko: {
      text: '발송 한도 초과',
      cause: '발송 시점에 계정의 발송 한도가 모두 사용되었습니다.',
      action: '다음 날이나 다음 달에 보내거나 운영자에게 한도 조정을 요청하십시오.',
    },
  },
  90014: {
    text: 'Wrong form of an advertisement',
    cause:
      'The name or the free number for opting out in the advertisement is no longer registered for the account.',
    action: 'Ask the operator to register it, or send with one that is registered.',
    outcome: 'failed',
    ko: {
      text: '광고 형식 오류',
      cause: '광고에 적힌 전송자 명칭 또는 무료 수신 거부 번호가 더 이상 계정에 등록되어 있지 않습니다.',
      action: '운영자에게 등록을 요청하거나 등록된 것으로 보내십시오.',
    },
  },
  99999: {
    text: 'The carrier never reported an outcome',
    cause: 'The response was lost and no receipt arrived.',
    action: 'The recipient may have the message. Send it again only if receiving it twice does no harm.',
    outcome: 'unknown',
    ko: {
      text: '결과 확인 불가',
      cause: '통신사 응답이 유실되고 결과도 오지 않았습니다.',
      action: '이미 전달되었을 수 있습니다. 두 번 받아도 괜찮은 경우에만 다시 보내십시오.',
    },
  },
}
