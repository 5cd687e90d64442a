/** Builds the second step of a simple send from its `fallback`, with the checks of an SMS or an MMS. */
import type { Step } from './channel.ts'
import type { Issues } from './issues.ts'
import { mms } from './mms/channel.ts'
import { maxTextBytes as maxSmsBytes, sms } from './sms/sms.ts'
import { countPlainBytes } from './text/smart-encoding.ts'

interface TextFallback {
  readonly type: 'SMS' | 'MMS'
  readonly text: string
  readonly fileKey?: readonly string[]
}

/** An SMS that is too long or has images is sent as MMS: it is never cut and never loses its images. */
export function fallbackChannel({ type, text, fileKey = [] }: TextFallback): 'sms' | 'mms' {
  const fits = fileKey.length === 0 && (countPlainBytes(text) ?? Infinity) <= maxSmsBytes
  return type === 'SMS' && fits ? 'sms' : 'mms'
}

export function textFallbackStep(channel: 'sms' | 'mms', content: object, issues: Issues): Step {
  return (channel === 'sms' ? sms : mms).step(content, 'fallback.', issues)
}
