/** Translates the health states of the API and adds advice. */
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

/** Patterns of `gateway/src/carriers/routes/health.ts`. */
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
  /** `null` for a healthy route. */
  readonly advice: string | null
}

/** Unknown states are shown as the API returns them. */
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
