/** `ttl` of a flow entry, for every channel that has one: whole seconds, as a string. */
import { invalidField } from '../contract/problem.ts'
import { quote } from '../contract/quote.ts'
import type { Issues } from './issues.ts'

/** The documented default is one day; carriers give up on a phone after three. */
const maxTtlSeconds = 259_200

export function readTtl(ttl: string | undefined, at: string, issues: Issues): { ttlSeconds?: number } {
  if (ttl === undefined) return {}
  const seconds = /^\d{1,6}$/.test(ttl) ? Number(ttl) : NaN
  if (seconds >= 1 && seconds <= maxTtlSeconds) return { ttlSeconds: seconds }
  const reason = `must be a whole number of seconds from 1 to ${maxTtlSeconds}, found ${quote(ttl)}`
  issues.add(invalidField('A304', `${at}ttl`, reason))
  return {}
}
