/** The rule on the lane that passes all others. Its setting is one of the account, not a switch. */
import type { EnforcedRule } from './rule.ts'

export const laneRules = [
  {
    id: 'urgent-only-for-codes',
    demands:
      'A short time limit makes a message urgent. Of an account that is set so (`postern account set --lane codes`) only texts that look like a one-time code are: a customer cannot pass others with ordinary texts.',
    source: { text: 'Fair sharing of routes between customers', date: '2026-11' },
    enforcedAt: ['accept', 'routing'],
    test: 'gateway/src/channels/lane.test.ts',
  },
] as const satisfies readonly EnforcedRule[]
