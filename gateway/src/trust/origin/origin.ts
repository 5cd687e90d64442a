/** The code of the operator that first accepted a message (`originCID`): accounts use their own, and carriers receive one. */
import type { ChannelName, Step } from '../../channels/channel.ts'
import { originCidOf } from '../../channels/content.ts'
import { carriesOrigin } from '../../connectors/registry.ts'
import { invalidField } from '../../contract/problem.ts'
import type { AccountTrust } from '../accounts.ts'
import type { TrustSettings } from '../settings.ts'
import type { RuleId } from '../rules.ts'
import { cacheByRoute, type JudgedAccount, type RuleGroup } from '../rule-group.ts'

type Settings = Pick<TrustSettings, 'originCode'>

/** Returns the code of the account or of the operator. A reseller never sends under that of the operator. */
export function getDefaultOrigin(
  { kind, originCodes }: AccountTrust,
  { originCode }: Settings,
): string | undefined {
  return originCodes[0] ?? (kind === 'reseller' ? undefined : originCode)
}

export function isDomestic(channel: ChannelName): boolean {
  return channel !== 'international'
}

/** Channels whose carriers drop a message without the code. */
const textChannels: ReadonlySet<ChannelName> = new Set<ChannelName>(['sms', 'mms'])

interface OriginFault {
  readonly rule: RuleId
  readonly clientText: string
  readonly operatorText: string
}

const notOwned: OriginFault = {
  rule: 'origin-code-owned',
  clientText: 'is not a code of the account; leave it out, or ask the operator of the service to register it',
  operatorText: 'originCID is no longer a code of the account',
}
const missing: OriginFault = {
  rule: 'origin-code-present',
  clientText:
    'is missing, and the account has no code of its own; ask the operator of the service to register one',
  operatorText: 'neither the account nor the operator has an origin code',
}

export function createOrigin(settings: Settings): RuleGroup {
  const isOwn = (account: AccountTrust, code: string): boolean =>
    account.originCodes.includes(code) || (account.kind === 'customer' && code === settings.originCode)
  function findFault(account: AccountTrust, rules: JudgedAccount['rules'], step: Step): OriginFault | null {
    const given = originCidOf(step)
    if (given !== undefined) return rules.has('origin-code-owned') && !isOwn(account, given) ? notOwned : null
    if (!textChannels.has(step.channel) || !rules.has('origin-code-present')) return null
    return getDefaultOrigin(account, settings) === undefined ? missing : null
  }

  return {
    name: 'origin',
    judgeDraft({ account, rules }, { draft, placeOf, issues }) {
      const isJudged = rules.has('origin-code-owned') || rules.has('origin-code-present')
      if (!isJudged) return
      draft.steps.forEach((step, index) => {
        const fault = findFault(account, rules, step)
        if (fault !== null)
          issues.add(invalidField('A300', `${placeOf(step, index)}originCID`, fault.clientText))
      })
    },
    judgeSubmission({ account, rules }, { content }) {
      const fault = findFault(account, rules, content)
      if (fault === null) return null
      return { verdict: 'fail', rule: fault.rule, cause: 'origin-code', text: fault.operatorText }
    },
    mayUse({ rules }, { channel }, route) {
      return !rules.has('origin-code-carried') || !textChannels.has(channel) || hasSlot(route)
    },
  }
}

const hasSlot = cacheByRoute(carriesOrigin)
