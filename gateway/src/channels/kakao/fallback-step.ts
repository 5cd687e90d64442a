/** The step that a Kakao message of any channel falls back to. */
import type { Step } from '../channel.ts'
import type { Issues } from '../issues.ts'
import { textFallbackStep } from '../text-fallback.ts'
import { checkFallback, toFallbackStep, type Fallback } from './fallback.ts'

export function fallbackStep(candidate: object, _body: object, issues: Issues): Step {
  const fallback = candidate as Fallback
  // The checks of the text message find some issues again, under its own codes.
  return issues.oncePerField([], () => {
    checkFallback(fallback, 'fallback.', issues)
    const { channel, content } = toFallbackStep(fallback)
    return textFallbackStep(channel, content, issues)
  })
}
