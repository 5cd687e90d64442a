import { defineTexts } from '../../../../texts/texts.ts'

export const missingTexts = defineTexts(
  {
    title: 'Message not found',
    intro: 'If a client reports a lost message, these are the places where it can be:',
    'verdict-malformed': 'This is not a valid msgKey. See the first line.',
    'verdict-past': 'The message is past the retention period, and its data is deleted.',
    'verdict-elsewhere': 'Another cell accepted the message and has its timeline.',
    'verdict-waiting': 'The message may be accepted but not recorded yet.',
    'verdict-unsure': 'Check the marked lines before you tell the client that nothing was lost.',
    'verdict-never':
      'No messages are missing: every accepted message is accounted for. The key is mistyped or belongs to another installation.',
    ok: 'OK',
    check: 'Check',
    cause: 'Cause',
    hint: 'Note',
    key: 'Key',
    keyOk: 'The format is valid.',
    keyLength: (length: string) => `The key has ${length} characters; a msgKey has 32.`,
    keyForm:
      'A msgKey has 17 digits followed by 15 characters 0-9 or A-Z. Ask for the key as text, not as an image.',
    keyNoTime: 'The first 17 digits are not a time, so the key is mistyped.',
    keyFuture:
      'The time in the key is in the future. This is normal for a scheduled message; otherwise the key is mistyped.',
    age: 'Retention',
    ageOk: (days: string) => `The day is within the retention period of ${days} days.`,
    agePast: (days: string) =>
      `The message is older than the retention period of ${days} days. Usage and ledger keep the counts of that day.`,
    cell: 'Cell',
    cellOk: (cell: string) => `Accepted by this cell, ${cell}.`,
    cellOther: (cell: string, own: string) =>
      `Accepted by cell ${cell}; this is ${own}. Open the console of that cell.`,
    intake: 'Recording',
    intakeOk: 'No messages wait to be recorded.',
    intakeWaits: (count: string) => `${count} accepted messages wait to be recorded. Try again in a moment.`,
    intakeNoWorker: 'No worker is running, so nothing is recorded. Start a worker.',
    parked: 'Parked jobs',
    parkedOk: 'No jobs are parked.',
    parkedSome: (count: string) =>
      `${count} jobs are parked. The list shows the keys of messages that could not be recorded.`,
    openParked: 'Open parked jobs',
    ledger: 'Ledger',
    ledgerOk: 'At the last check, every accepted message was accounted for.',
    ledgerGap: (count: string) =>
      `${count} messages are missing or counted twice. This is an incident; see the "Now" screen.`,
    ledgerUnchecked: 'Not checked yet.',
    refused: 'Refused at accept',
    refusedText:
      'A refused send gets an error code but no msgKey, and is not stored. Ask the client for the response to its request.',
    account: 'Another account',
    accountText:
      'A msgKey or ref finds messages of any account. A search by recipient is limited to one account.',
    around: 'Messages accepted in that minute',
    search: 'Search by ref, recipient or time',
    ownMissing:
      'Your account has no message with this msgKey. Check the key. New messages appear within seconds; messages are deleted after the retention period. A refused send gets an error code but no msgKey.',
    retry: 'Try again',
  },
  {
    title: '메시지를 찾을 수 없습니다',
    intro:
      '고객이 메시지 유실을 문의하면 다음 항목을 확인하세요. 메시지가 있을 수 있는 곳을 지금 확인한 결과입니다.',
    'verdict-malformed': 'msgKey 형식이 아니어서 찾을 수 없습니다. 첫 번째 항목을 확인하세요.',
    'verdict-past': '보관 기간이 지나 저장된 내용이 삭제되었습니다.',
    'verdict-elsewhere': '다른 셀에서 접수했으며, 처리 과정도 그 셀에 있습니다.',
    'verdict-waiting': '접수되었지만 아직 기록되지 않았을 수 있습니다.',
    'verdict-unsure': '유실이 아니라고 답변하기 전에 표시된 항목을 확인하세요.',
    'verdict-never':
      '누락된 메시지가 없습니다. 접수된 모든 메시지가 확인되었으므로, 키를 잘못 입력했거나 다른 시스템의 키입니다.',
    ok: '정상',
    check: '확인 필요',
    cause: '원인',
    hint: '참고',
    key: '키 형식',
    keyOk: 'msgKey 형식이 맞습니다.',
    keyLength: (length) => `${length}자입니다. msgKey는 32자입니다.`,
    keyForm: 'msgKey는 숫자 17자리와 숫자 또는 영문 대문자 15자리입니다. 이미지가 아닌 텍스트로 요청하세요.',
    keyNoTime: '앞 17자리가 시각이 아니므로 잘못 입력된 키입니다.',
    keyFuture:
      '키의 시각이 미래입니다. 예약 메시지의 키는 발송 시각이며, 예약이 아니라면 잘못 입력된 키입니다.',
    age: '보관 기간',
    ageOk: (days) => `보관 기간 ${days}일 이내입니다.`,
    agePast: (days) => `보관 기간 ${days}일이 지났습니다. 그날의 건수는 사용량과 원장에 남아 있습니다.`,
    cell: '셀',
    cellOk: (cell) => `이 셀(${cell})에서 접수했습니다.`,
    cellOther: (cell, own) => `${cell} 셀에서 접수했습니다. 현재 셀은 ${own}이므로 해당 셀의 콘솔을 여세요.`,
    intake: '기록',
    intakeOk: '기록을 기다리는 메시지가 없습니다.',
    intakeWaits: (count) => `접수된 메시지 ${count}건이 기록을 기다립니다. 잠시 후 다시 시도하세요.`,
    intakeNoWorker: '실행 중인 워커가 없어 기록되지 않습니다. 워커를 시작하세요.',
    parked: '격리 작업',
    parkedOk: '격리된 작업이 없습니다.',
    parkedSome: (count) =>
      `격리된 작업이 ${count}건 있습니다. 기록하지 못한 메시지의 키가 목록에 표시됩니다.`,
    openParked: '격리 작업 열기',
    ledger: '원장',
    ledgerOk: '마지막 확인에서 접수된 모든 메시지가 확인되었습니다.',
    ledgerGap: (count) => `${count}건이 누락되었거나 중복 집계되었습니다. 장애이므로 현황 화면을 확인하세요.`,
    ledgerUnchecked: '아직 확인되지 않았습니다.',
    refused: '접수 거부',
    refusedText:
      '접수가 거부된 요청은 오류 코드만 받고 msgKey가 없으며 저장되지 않습니다. 고객이 받은 응답을 확인하세요.',
    account: '다른 계정',
    accountText: 'msgKey와 ref는 모든 계정에서 검색합니다. 수신번호는 한 계정에서만 검색합니다.',
    around: '같은 분에 접수된 메시지',
    search: 'ref, 수신번호, 시각으로 검색',
    ownMissing:
      '계정에 이 msgKey의 메시지가 없습니다. 키를 확인하세요. 방금 보낸 메시지는 몇 초 안에 표시되며, 보관 기간이 지난 메시지는 삭제됩니다. 접수가 거부된 요청은 오류 코드만 받고 msgKey가 없습니다.',
    retry: '다시 시도',
  },
)
