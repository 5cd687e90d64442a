import { defineTexts } from '../../texts/texts.ts'

export const capsTexts = defineTexts(
  {
    caption: 'Account caps',
    class: 'Class',
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
    // The screen appends the command `postern protection cap` to the hint, which therefore ends with "with".
    hint: 'When a cap is used up, further messages that it counts are refused with A343 until the day or month ends. Messages that an API process has reserved count as used. Set caps on the account page or with',
    emptyNearly: 'No matching cap has reached 70 %. Select all caps to see the others.',
    emptyAll: 'No cap found. Set caps with `postern protection cap` to limit the damage of a stolen key.',
  },
  {
    caption: '계정별 상한',
    class: '분류',
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
    'show-all': '모든 상한',
    hint: '상한을 모두 사용하면 그날 또는 그달이 끝날 때까지 그 상한에 해당하는 발송이 A343으로 거부됩니다. API 프로세스가 예약한 수량도 사용량에 포함됩니다. 상한은 계정 화면 또는 다음 명령으로 설정합니다.',
    emptyNearly:
      '조건에 맞는 상한 중 70% 이상 사용한 것이 없습니다. 나머지를 보려면 ‘모든 상한’을 선택하세요.',
    emptyAll:
      '조건에 맞는 상한이 없습니다. 키 유출에 따른 피해를 줄이려면 `postern protection cap`으로 설정하세요.',
  },
)
