/** What a client is answered when a message cannot be counted for the caps of its account. Pure. */
import { Problem } from '../../contract/problem.ts'
import type { CapResult } from './caps.ts'

export function toCapProblem(result: Exclude<CapResult, { kind: 'taken' }>): Problem {
  if (result.kind === 'busy')
    return new Problem(
      'A920',
      'Service busy: the caps of the account cannot be counted now, send it again',
      1,
    )
  const { period, class: name, max } = result.cap
  const what = name === 'all' ? 'messages' : `messages of the class ${name}`
  return new Problem(
    'A343',
    `Cap reached: the account may send ${max} ${what} a ${period}; wait for the next ${period}, or ask the operator for a higher cap`,
  )
}
