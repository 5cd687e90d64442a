/** Every group of rules, one line each, in the order in which they judge. */
import { createOrigin } from './origin/origin.ts'
import { createSenders } from './senders/senders.ts'
import type { TrustSettings } from './settings.ts'
import type { RuleGroup } from './rule-group.ts'

export function createRuleGroups(settings: TrustSettings): readonly RuleGroup[] {
  return [createSenders(settings), createOrigin(settings)]
}
