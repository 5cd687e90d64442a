/** Checks the fallback of a Kakao message of any channel and returns its step. */
import type { Step } from '../channel.ts'
import type { Issues } from '../issues.ts'
import { textFallbackStep } from '../text-fallback.ts'
import { checkKakaoFallback, toFallbackStep, type KakaoFallback } from './fallback.ts'

export function toKakaoFallbackStep(candidate: object, _body: object, issues: Issues): Step {
  const fallback = candidate as KakaoFallback
  // The checks of the text message find some issues again, under their own codes.
  return issues.oncePerField([], () => {
    checkKakaoFallback(fallback, 'fallback.', issues)
    const { channel, content } = toFallbackStep(fallback)
    return textFallbackStep(channel, content, issues)
  })
}
