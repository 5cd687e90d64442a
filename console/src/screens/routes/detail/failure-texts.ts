import { defineTexts } from '../../../texts/texts.ts'

export const failureTexts = defineTexts(
  {
    title: 'Failures',
    summary: (failed: string, sent: string) =>
      `${failed} of the newest ${sent} messages failed for any reason; accepted since`,
    nothingSent: 'No messages were submitted over this route in the last hour.',
    nothingFailed: 'No messages failed.',
    code: 'Code',
    carrierCodeLabel: 'carrier code',
    failed: 'Failed',
    numbers: 'Numbers',
    newest: 'Newest',
    open: 'Open',
    spread: 'no pattern; other numbers with the same prefixes were delivered',
    allNumbers: 'all numbers',
    beginWith: (prefix: string) => `start with ${prefix}`,
    ofSent: (failed: string, sent: string) => `${failed} of ${sent} failed`,
  },
  {
    title: '실패 내역',
    summary: (failed, sent) => `최근 ${sent}건 중 ${failed}건 실패(원인 불문), 다음 시각 이후 접수:`,
    nothingSent: '최근 1시간 동안 이 라우트로 제출된 메시지가 없습니다.',
    nothingFailed: '실패한 메시지가 없습니다.',
    code: '코드',
    carrierCodeLabel: '통신사 코드',
    failed: '실패',
    numbers: '번호',
    newest: '최근 메시지',
    open: '열기',
    spread: '특정 대역 없음(같은 대역에 전달된 번호 있음)',
    allNumbers: '모든 번호',
    beginWith: (prefix) => `${prefix}(으)로 시작하는 번호`,
    ofSent: (failed, sent) => `${sent}건 중 ${failed}건 실패`,
  },
)
