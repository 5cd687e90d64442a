import { defineTexts } from '../../../texts/texts.ts'

export const capsTexts = defineTexts(
  {
    caption: 'Caps of accounts',
    class: 'Counts',
    period: 'Per',
    used: 'Used',
    day: 'day',
    month: 'month',
    all: 'all messages',
    usedOf: (used: string, max: string, percent: string) => `${used} of ${max} · ${percent} %`,
    usedUp: 'Used up',
    nearly: 'Nearly used',
    show: 'Show',
    'show-nearly': 'Used 70 % or more',
    'show-all': 'All caps',
    hint: 'Beyond a cap, messages of the account are refused with A343 until the day or month ends. What API processes have reserved counts as used. A cap is set on the page of its account, or with',
    emptyNearly: 'No cap is used 70 % or more. Show all caps to see the others.',
    emptyAll:
      'No account has a cap. Set one with `postern protection cap`, so that a stolen key cannot send without end.',
  },
  {
    caption: '계정별 한도',
    class: '집계 대상',
    period: '기간',
    used: '사용량',
    day: '일',
    month: '월',
    all: '모든 메시지',
    usedOf: (used, max, percent) => `${max} 중 ${used} · ${percent}%`,
    usedUp: '소진',
    nearly: '소진 임박',
    show: '표시',
    'show-nearly': '70% 이상 사용',
    'show-all': '모든 한도',
    hint: '한도를 넘으면 그날 또는 그달이 끝날 때까지 계정의 발송이 A343으로 거부됩니다. API 프로세스가 예약한 수량도 사용량에 포함됩니다. 한도는 계정 화면 또는 다음 명령으로 설정합니다.',
    emptyNearly: '70% 이상 사용한 한도가 없습니다. 다른 한도를 보려면 모든 한도를 표시하세요.',
    emptyAll:
      '한도가 설정된 계정이 없습니다. 유출된 키로 무한정 발송되지 않도록 `postern protection cap`으로 설정하세요.',
  },
)
