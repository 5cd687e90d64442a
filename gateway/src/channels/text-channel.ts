/** What SMS and international SMS have in common: one text, one sender, parts. */
import type { FileReference, Step, TextStep } from './channel.ts'

export function asText(step: Step): TextStep {
  if ('text' in step) return step
  throw new TypeError(`a ${step.channel} step has no text`)
}

export const textSender = (step: Step): string => asText(step).from

export const noFiles = (): readonly FileReference[] => []
