/**
 * Checks the fallback of an RCS message and returns its step. It has the sender of the RCS message unless it
 * names its own.
 */
import type { Step } from '../channel.ts'
import type { Issues } from '../issues.ts'
import { fallbackChannel, textFallbackStep } from '../text-fallback.ts'
import type { Entry } from './entry.ts'
import { checkRcsFallback, type RcsFallback } from './fallback.ts'

export function toRcsFallbackStep(candidate: object, body: Entry, issues: Issues): Step {
  const fallback = candidate as RcsFallback
  // A sender taken from the RCS message has been checked there.
  const checkedBefore = fallback.from === undefined ? ['fallback.from'] : []
  return issues.oncePerField(checkedBefore, () => {
    checkRcsFallback(fallback, 'fallback.', issues)
    const { from = body.from, text, title, fileKey, originCID } = fallback
    const channel = fallbackChannel(fallback)
    const content = channel === 'sms' ? { from, text, originCID } : { from, text, title, fileKey, originCID }
    return textFallbackStep(channel, withoutUndefined(content), issues)
  })
}

function withoutUndefined(content: object): object {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined))
}
