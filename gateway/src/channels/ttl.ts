/** Time limits of steps: `ttl` of a flow entry or a fallback, and `?ttl=` of a simple send. */
import { Type } from 'typebox'
import { invalidField } from '../contract/problem.ts'
import { quote } from '../contract/quote.ts'
import type { Step } from './channel.ts'
import type { Issues } from './issues.ts'

/** The documented default is one day; carriers stop trying to reach a phone after three days. */
export const maxTtlSeconds = 259_200

export const ttlField = Type.Optional(
  Type.String({
    description: `Time limit for the delivery in seconds, 1 to ${maxTtlSeconds}, as digits; 86400 by default`,
  }),
)

/** Returns undefined for a missing `ttl`, and for an invalid one after adding an issue. */
export function readTtl(ttl: unknown, at: string, issues: Issues): number | undefined {
  if (ttl === undefined) return undefined
  const seconds = typeof ttl === 'string' && /^\d{1,6}$/.test(ttl) ? Number(ttl) : NaN
  if (seconds >= 1 && seconds <= maxTtlSeconds) return seconds
  const reason = `must be an integer number of seconds from 1 to ${maxTtlSeconds}, found ${quote(ttl)}`
  issues.add(invalidField('A304', `${at}ttl`, reason))
  return undefined
}

/** Sets the time limit of a step unless it has a shorter one. */
export function capTtl(step: Step, ttlSeconds: number | undefined): Step {
  if (ttlSeconds === undefined) return step
  return { ...step, ttlSeconds: Math.min(ttlSeconds, step.ttlSeconds ?? Infinity) }
}
