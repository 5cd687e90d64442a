/**
 * Every rule of trust, as data: what it demands, where it comes from, where it is enforced and which test shows it. The
 * rules themselves are evaluated by the groups (`rule-groups.ts`). docs/trust.md is generated from this list.
 */
import { abuseRules, omittedAbuseRules } from './abuse-rules.ts'
import { advertisingRules, omittedAdvertisingRules } from './advertising-rules.ts'
import { credentialRules, omittedCredentialRules } from './credential-rules.ts'
import { laneRules } from './lane-rules.ts'
import { omittedOperatorRules, operatorRules } from './operator-rules.ts'
import { originRules, omittedOriginRules } from './origin-rules.ts'
import { omittedPrivacyRules, privacyRules } from './privacy-rules.ts'
import { omittedQualificationRules, qualificationRules } from './qualification-rules.ts'
import type { EnforcedRule, OmittedRule } from './rule.ts'
import { omittedSenderRules, senderRules } from './sender-rules.ts'
import { omittedTransportRules, transportRules } from './transport-rules.ts'

const enforced = [
  ...senderRules,
  ...originRules,
  ...advertisingRules,
  ...abuseRules,
  ...laneRules,
  ...privacyRules,
  ...operatorRules,
  ...credentialRules,
  ...transportRules,
  ...qualificationRules,
] as const

export type RuleId = (typeof enforced)[number]['id']

export const rules: readonly (EnforcedRule & { readonly id: RuleId })[] = enforced

export const omittedRules: readonly OmittedRule[] = [
  ...omittedSenderRules,
  ...omittedOriginRules,
  ...omittedAdvertisingRules,
  ...omittedAbuseRules,
  ...omittedPrivacyRules,
  ...omittedOperatorRules,
  ...omittedCredentialRules,
  ...omittedTransportRules,
  ...omittedQualificationRules,
]

/** Rules that an operator turns on and off. */
export const switchedRules: readonly RuleId[] = rules.filter(({ on }) => on !== undefined).map(({ id }) => id)

/** For ids that come from outside, such as the command line or a table of another version. */
export function isRuleId(id: string): id is RuleId {
  return rules.some((rule) => rule.id === id)
}
