/** Texts of blocking an account. */
import { defineTexts } from '../../../texts/texts.ts'

export const blockTexts = defineTexts(
  {
    block: 'Block',
    unblock: 'Unblock',
    blockTitle: (id: string) => `Block ${id}?`,
    effectRequests: 'Every request, token and key is refused with A110 from the next second on.',
    effectWaiting: (count: string) => `What waits (${count})`,
    effectScheduled: (count: string) => `Scheduled messages (${count})`,
    closed: 'ends with the report 90011. This cannot be undone.',
    held: 'is held until the unblock; its deadlines hold.',
    effectSubmitted: 'What carriers have already is delivered and reported as usual.',
    effectWebhooks:
      'Webhooks pause and continue after the unblock; reports older than three days by then are not pushed.',
    backlog: 'What becomes of what waits',
    closeChoice: 'End it',
    holdChoice: 'Hold it until the account is unblocked',
    notice: 'How the customer was told',
    noticeHint: 'Optional, such as "called on 16 November, 09:20".',
    'blocked-close': (open: string, submitted: string, webhooks: string) =>
      `Blocked: ${open} end, ${submitted} are with carriers, ${webhooks} webhooks pause.`,
    'blocked-hold': (open: string, submitted: string, webhooks: string) =>
      `Blocked: ${open} are held, ${submitted} are with carriers, ${webhooks} webhooks pause.`,
    blockedUncounted: 'Blocked. Its messages could not be counted in time.',
    unblockTitle: (id: string) => `Unblock ${id}?`,
    unblockRequests: 'Its requests are served again within two seconds.',
    unblockHeld: 'What was held is sent now, scheduled messages at their time. What has ended stays ended.',
    unblockWebhooks: 'Its webhooks continue with the first report that they have not pushed.',
    unblocked: (count: string) => `Unblocked: ${count} held messages are sent.`,
    history: 'Blocks',
    now: 'Blocked now',
    counts: (closed: string, held: string, submitted: string) =>
      `ended ${closed}, held ${held}, with carriers ${submitted}`,
    told: (notice: string) => `customer: ${notice}`,
  },
  {
    block: '차단',
    unblock: '차단 해제',
    blockTitle: (id) => `${id} 계정을 차단할까요?`,
    effectRequests: '다음 1초부터 모든 요청, 토큰, 키가 A110으로 거부됩니다.',
    effectWaiting: (count) => `대기 중인 메시지(${count}건)는`,
    effectScheduled: (count) => `예약 메시지(${count}건)는`,
    closed: '리포트 90011로 종료됩니다. 되돌릴 수 없습니다.',
    held: '차단을 해제할 때까지 보류됩니다. 만료 기한은 그대로 적용됩니다.',
    effectSubmitted: '이미 통신사에 넘긴 메시지는 평소대로 전달되고 결과가 보고됩니다.',
    effectWebhooks: '웹훅은 멈췄다가 차단을 해제하면 이어집니다. 그때 3일이 지난 리포트는 전송하지 않습니다.',
    backlog: '대기 중인 메시지 처리',
    closeChoice: '종료합니다',
    holdChoice: '차단을 해제할 때까지 보류합니다',
    notice: '고객 안내 내용',
    noticeHint: '선택 사항입니다. 예: "11월 16일 09:20 전화 안내".',
    'blocked-close': (open, submitted, webhooks) =>
      `차단됨: ${open}건 종료, ${submitted}건은 통신사 처리 중, 웹훅 ${webhooks}개 일시 중지.`,
    'blocked-hold': (open, submitted, webhooks) =>
      `차단됨: ${open}건 보류, ${submitted}건은 통신사 처리 중, 웹훅 ${webhooks}개 일시 중지.`,
    blockedUncounted: '차단되었습니다. 메시지 수는 제시간에 집계하지 못했습니다.',
    unblockTitle: (id) => `${id} 계정의 차단을 해제할까요?`,
    unblockRequests: '2초 안에 요청을 다시 처리합니다.',
    unblockHeld:
      '보류된 메시지는 지금, 예약 메시지는 예약 시각에 발송됩니다. 종료된 메시지는 되살아나지 않습니다.',
    unblockWebhooks: '웹훅은 아직 전송하지 않은 첫 리포트부터 이어집니다.',
    unblocked: (count) => `차단 해제됨: 보류된 메시지 ${count}건을 발송합니다.`,
    history: '차단 이력',
    now: '현재 차단 중',
    counts: (closed, held, submitted) => `종료 ${closed}, 보류 ${held}, 통신사 처리 ${submitted}`,
    told: (notice) => `고객 안내: ${notice}`,
  },
)
