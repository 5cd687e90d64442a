import { toKakaoFallbackStep } from '../kakao/fallback-step.ts'
import { kakaoReportCodes } from '../report-codes.ts'
import { richChannel } from '../rich-channel.ts'
import * as kind from './friendtalk.ts'

export const friendtalk = richChannel({
  name: 'friendtalk',
  serviceType: 'FRIENDTALK',
  kind,
  reportCodes: kakaoReportCodes,
  fallbackStep: toKakaoFallbackStep,
})
