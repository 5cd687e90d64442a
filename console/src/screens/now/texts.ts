import { defineTexts } from '../../texts/texts.ts'

export const nowTexts = defineTexts(
  {
    title: 'Now',
    flowing: 'Traffic flows',
    alarms: (count: number) => (count === 1 ? '1 alarm' : `${count} alarms`),
    accepted: 'Accepted',
    delivered: 'Delivered',
  },
  {
    title: '현황',
    flowing: '정상 처리 중',
    alarms: (count) => `알람 ${count}건`,
    accepted: '접수',
    delivered: '전달',
  },
)
