import { defineTexts } from '../../texts/texts.ts'

export const heldTexts = defineTexts(
  {
    caption: 'Held messages',
    select: 'Select',
    selectOne: (key: string) => `Select message ${key}`,
    message: 'Message',
    holdingRule: 'Held by',
    channel: 'Channel',
    since: 'Held since',
    ends: 'Expires',
    decide: 'Decide',
    release: 'Release',
    refuse: 'Refuse',
    rule: 'Rule',
    anyRule: 'All rules',
    selected: (count: number) => (count === 1 ? '1 selected' : `${count} selected`),
    releaseSelected: 'Release selected',
    refuseSelected: 'Refuse selected',
    selectAll: (count: number) => `Select all ${count} shown`,
    clearSelection: 'Clear selection',
    empty:
      'No held messages. A message is held if a rule finds it suspicious and its account is set to hold such messages.',
    emptyFiltered: 'No held message matches the filters.',
    releaseTitle: (what: string) => `Release ${what}?`,
    refuseTitle: (what: string) => `Refuse ${what}?`,
    oneMessage: (key: string) => `message ${key}`,
    manyMessages: (count: number) => `${count} messages`,
    releaseEffect: (count: number) =>
      count === 1
        ? 'The message is sent within seconds, or at its scheduled time. The rule does not hold it again; all other rules are checked again before submission.'
        : `The ${count} messages are sent within seconds, or at their scheduled times. The rule does not hold them again; all other rules are checked again before submission.`,
    refuseEffect: (count: number) =>
      count === 1
        ? 'Neither the message nor its fallback steps are sent; the message ends now. The client receives a report that the message was blocked as spam. This cannot be undone.'
        : `Neither the ${count} messages nor their fallback steps are sent; the messages end now. The clients receive reports that the messages were blocked as spam. This cannot be undone.`,
    accounts: (list: string) => `Accounts: ${list}.`,
    released: (count: number) => (count === 1 ? '1 message released.' : `${count} messages released.`),
    refused: (count: number) => (count === 1 ? '1 message refused.' : `${count} messages refused.`),
    notHeld: (count: number) =>
      count === 1 ? '1 was already decided or has ended.' : `${count} were already decided or have ended.`,
  },
  {
    caption: '보류된 메시지',
    select: '선택',
    selectOne: (key) => `메시지 ${key} 선택`,
    message: '메시지',
    holdingRule: '보류 규칙',
    channel: '채널',
    since: '보류 시작',
    ends: '만료',
    decide: '결정',
    release: '발송 허용',
    refuse: '발송 거부',
    rule: '규칙',
    anyRule: '모든 규칙',
    selected: (count) => `${count}건 선택됨`,
    releaseSelected: '선택 항목 발송 허용',
    refuseSelected: '선택 항목 발송 거부',
    selectAll: (count) => `표시된 ${count}건 모두 선택`,
    clearSelection: '선택 해제',
    empty: '보류된 메시지가 없습니다. 의심스러운 메시지를 보류하도록 설정된 계정의 메시지만 표시됩니다.',
    emptyFiltered: '필터와 일치하는 보류 메시지가 없습니다.',
    releaseTitle: (what) => `${what}의 발송을 허용할까요?`,
    refuseTitle: (what) => `${what}의 발송을 거부할까요?`,
    oneMessage: (key) => `메시지 ${key}`,
    manyMessages: (count) => `메시지 ${count}건`,
    releaseEffect: (count) =>
      `${count}건이 몇 초 안에 발송됩니다. 예약된 메시지는 예약 시각에 발송됩니다. 이 규칙으로 다시 보류되지 않으며, 다른 규칙은 제출 전에 다시 확인합니다.`,
    refuseEffect: (count) =>
      `${count}건이 대체 발송 없이 바로 종료됩니다. 고객에게 스팸 차단 리포트가 전달됩니다. 되돌릴 수 없습니다.`,
    accounts: (list) => `계정: ${list}.`,
    released: (count) => `${count}건의 발송을 허용했습니다.`,
    refused: (count) => `${count}건의 발송을 거부했습니다.`,
    notHeld: (count) => `${count}건은 이미 결정되었거나 종료되었습니다.`,
  },
)
