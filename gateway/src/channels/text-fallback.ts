/** Makes the second step of a simple send from its `fallback`, with the checks of an SMS or an MMS. */
import type { Step } from './channel.ts'
import type { Issues } from './issues.ts'
import { mms } from './mms/channel.ts'
import { sms } from './sms/sms.ts'

export function textFallbackStep(channel: 'sms' | 'mms', content: object, issues: Issues): Step {
  return (channel === 'sms' ? sms : mms).step(content, 'fallback.', issues)
}
