/** Accessors for steps of SMS and international SMS, which have one text, one sender and no files. */
import type { FileReference, Step, TextStep } from './channel.ts'

export function requireTextStep(step: Step): TextStep {
  if ('text' in step) return step
  throw new TypeError(`a ${step.channel} step has no text`)
}

export const textSender = (step: Step): string => requireTextStep(step).from

export const noFiles = (): readonly FileReference[] => []
