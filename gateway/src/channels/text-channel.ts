/** What SMS and international SMS have in common: one text, one sender, parts. */
import type { FileReference, Step, TextStep } from './channel.ts'
import { invalidField } from '../platform/problem.ts'

export function asText(step: Step): TextStep {
  if ('text' in step) return step
  throw new TypeError(`a ${step.channel} step has no text of its own`)
}

export const textSender = (step: Step): string => asText(step).from

export const noFiles = (): readonly FileReference[] => []

const longestTtlSeconds = 259_200

/** `ttl` of a flow entry: whole seconds, as a string. */
export function readTtl(ttl: string | undefined, at: string): { ttlSeconds?: number } {
  if (ttl === undefined) return {}
  const seconds = /^\d{1,6}$/.test(ttl) ? Number(ttl) : NaN
  if (!(seconds >= 1 && seconds <= longestTtlSeconds)) {
    throw invalidField('A304', `${at}ttl`, `seconds from 1 to ${longestTtlSeconds} are wanted`)
  }
  return { ttlSeconds: seconds }
}
