/** What the API says about the health of a route, in the words of the operator, and what to do about it. */
import { useTexts } from '../../../texts/texts.ts'
import { stateTexts } from './texts.ts'

type StateKey =
  | 'healthy'
  | 'disabled'
  | 'noOwner'
  | 'notLinked'
  | 'draining'
  | 'paused'
  | 'breaker'
  | 'throttled'
  | 'delivers'
  | 'trial'
  | 'shares'

/** The words of `gateway/src/routes/judge-health.ts`. */
const patterns: Readonly<Record<StateKey, RegExp>> = {
  healthy: /^healthy$/,
  disabled: /^is disabled$/,
  noOwner: /^is owned by no process$/,
  notLinked: /^is not linked$/,
  draining: /^is draining$/,
  paused: /^is paused by an operator$/,
  breaker: /^is paused by its circuit breaker after failures$/,
  throttled: /^is throttled by its carrier \((.+) of submissions\)$/,
  delivers: /^delivers (.+), less than (.+)$/,
  trial: /^is on trial after failures$/,
  shares: /^(\d+) of (\d+) shares can be used$/,
}

export interface StateText {
  readonly text: string
  /** Null when nothing is wrong. */
  readonly advice: string | null
}

/** A state that is not known is shown as the API says it. */
export function useStateText(): (state: string) => StateText {
  const t = useTexts(stateTexts)
  return (state) => {
    for (const [key, pattern] of Object.entries(patterns) as [StateKey, RegExp][]) {
      const found = pattern.exec(state)
      if (found === null) continue
      const text = t[key]
      const [, first = '', second = ''] = found
      return {
        text: typeof text === 'string' ? text : text(first, second),
        advice: key === 'healthy' ? null : t[`advice-${key}`],
      }
    }
    return { text: state, advice: null }
  }
}
