import { toKakaoFallbackStep } from '../kakao/fallback-step.ts'
import { kakaoReportCodes } from '../report-codes.ts'
import { richChannel } from '../rich-channel.ts'
import * as kind from './brandmessage.ts'

export const brandmessage = richChannel({
  name: 'brandmessage',
  serviceType: 'BRANDMESSAGE',
  kind,
  reportCodes: kakaoReportCodes,
  fallbackStep: toKakaoFallbackStep,
})
