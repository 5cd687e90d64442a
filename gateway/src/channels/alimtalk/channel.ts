import { toKakaoFallbackStep } from '../kakao/fallback-step.ts'
import { kakaoReportCodes } from '../report-codes.ts'
import { richChannel } from '../rich-channel.ts'
import * as kind from './alimtalk.ts'

export const alimtalk = richChannel({
  name: 'alimtalk',
  serviceType: 'ALIMTALK',
  kind,
  reportCodes: kakaoReportCodes,
  fallbackStep: toKakaoFallbackStep,
})
