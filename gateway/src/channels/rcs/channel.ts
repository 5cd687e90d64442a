import { rcsReportCodes } from '../report-codes.ts'
import { richChannel } from '../rich-channel.ts'
import { toRcsFallbackStep } from './fallback-step.ts'
import * as kind from './rcs.ts'

export const rcs = richChannel({
  name: 'rcs',
  serviceType: 'RCS',
  kind,
  reportCodes: rcsReportCodes,
  ttlSeconds: kind.getExpirySeconds,
  fallbackStep: toRcsFallbackStep,
})
