import { defineTexts } from '../../../texts/texts.ts'

export const blockTexts = defineTexts(
  {
    block: 'Block',
    unblock: 'Unblock',
    blockTitle: (id: string) => `Block ${id}?`,
    effectRequests: 'All requests, tokens and keys are refused with A110 within two seconds.',
    effectWaiting: (count: string) => `Waiting messages (${count})`,
    effectScheduled: (count: string) => `Scheduled messages (${count})`,
    closed: 'end with report 90011. This cannot be undone.',
    held: 'are held until the account is unblocked. Deadlines still apply.',
    effectSubmitted: 'Submitted messages are delivered and reported as usual.',
    effectWebhooks:
      'Webhooks pause until the account is unblocked. Reports older than three days by then are not pushed.',
    backlog: 'Waiting messages',
    closeChoice: 'End them',
    holdChoice: 'Hold them until the account is unblocked',
    notice: 'How the customer was notified',
    noticeHint: 'Optional, such as "called on 16 November, 09:20".',
    'blocked-close': (open: string, submitted: string, webhooks: string) =>
      `Blocked. ${open} messages end, ${submitted} are with carriers, ${webhooks} webhooks pause.`,
    'blocked-hold': (open: string, submitted: string, webhooks: string) =>
      `Blocked. ${open} messages are held, ${submitted} are with carriers, ${webhooks} webhooks pause.`,
    blockedUncounted: 'Blocked. Counting its messages timed out.',
    unblockTitle: (id: string) => `Unblock ${id}?`,
    unblockRequests: 'Requests are served again within two seconds.',
    unblockHeld: 'Held messages are sent now, scheduled ones at their time. Ended messages are not restored.',
    unblockWebhooks: 'Webhooks continue with the first report that was not pushed.',
    unblocked: (count: string) => `Unblocked. ${count} held messages are sent.`,
    history: 'Blocks',
    now: 'Blocked now',
    counts: (closed: string, held: string, submitted: string) =>
      `ended ${closed}, held ${held}, with carriers ${submitted}`,
    notified: (notice: string) => `customer: ${notice}`,
  },
  {
    block: '차단',
    unblock: '차단 해제',
    blockTitle: (id) => `${id} 계정을 차단할까요?`,
    effectRequests: '2초 안에 모든 요청, 토큰, 키가 A110으로 거부됩니다.',
    effectWaiting: (count) => `대기 중인 메시지(${count}건)는`,
    effectScheduled: (count) => `예약 메시지(${count}건)는`,
    closed: '리포트 90011로 종료됩니다. 되돌릴 수 없습니다.',
    held: '차단을 해제할 때까지 보류됩니다. 만료 기한은 그대로 적용됩니다.',
    effectSubmitted: '이미 통신사에 제출한 메시지는 평소대로 전달되고 리포트됩니다.',
    effectWebhooks: '웹훅은 멈췄다가 차단을 해제하면 이어집니다. 그때 3일이 지난 리포트는 전송하지 않습니다.',
    backlog: '대기 중인 메시지 처리',
    closeChoice: '종료',
    holdChoice: '차단 해제까지 보류',
    notice: '고객 안내 내용',
    noticeHint: '선택 사항입니다. 예: "11월 16일 09:20 전화 안내".',
    'blocked-close': (open, submitted, webhooks) =>
      `차단했습니다. ${open}건 종료, ${submitted}건 통신사 처리 중, 웹훅 ${webhooks}개 일시 중지.`,
    'blocked-hold': (open, submitted, webhooks) =>
      `차단했습니다. ${open}건 보류, ${submitted}건 통신사 처리 중, 웹훅 ${webhooks}개 일시 중지.`,
    blockedUncounted: '차단했습니다. 시간이 초과되어 메시지 수를 집계하지 못했습니다.',
    unblockTitle: (id) => `${id} 계정의 차단을 해제할까요?`,
    unblockRequests: '2초 안에 요청이 다시 처리됩니다.',
    unblockHeld:
      '보류된 메시지는 지금, 예약 메시지는 예약 시각에 발송됩니다. 종료된 메시지는 복구되지 않습니다.',
    unblockWebhooks: '웹훅은 아직 전송하지 않은 첫 리포트부터 이어집니다.',
    unblocked: (count) => `차단을 해제했습니다. 보류된 메시지 ${count}건을 발송합니다.`,
    history: '차단 이력',
    now: '현재 차단 중',
    counts: (closed, held, submitted) => `종료 ${closed}, 보류 ${held}, 통신사 처리 ${submitted}`,
    notified: (notice) => `고객 안내: ${notice}`,
  },
)
