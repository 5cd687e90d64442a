/**
 * Checks the code of the operator that first accepted a message (`originCID`): accounts use their own, and
 * carriers receive one.
 */
import type { ChannelName, Step } from '../../channels/channel.ts'
import { getOriginCid } from '../../channels/content.ts'
import { supportsOriginCode } from '../../carriers/connectors/registry.ts'
import { invalidField } from '../../contract/problem.ts'
import type { AccountTrust } from '../accounts.ts'
import type { TrustSettings } from '../settings.ts'
import type { RuleId } from '../rules.ts'
import { cacheByRoute, type AccountContext, type RuleGroup } from '../rule-group.ts'

type Settings = Pick<TrustSettings, 'originCode'>

/** Returns the code of the account or of the operator. A reseller never sends with the operator's code. */
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
  clientText: 'is not registered for the account; omit it, or ask the service operator to register it',
  operatorText: 'originCID is no longer registered for the account',
}
const missing: OriginFault = {
  rule: 'origin-code-present',
  clientText:
    'is required, because the account has no default code; ask the service operator to register one',
  operatorText: 'neither the account nor the operator has an origin code',
}

export function createOrigin(settings: Settings): RuleGroup {
  /** Without a registered code there is nothing to compare with, so that only the form of a code is checked. */
  const isRegistered = ({ kind, originCodes }: AccountTrust, code: string): boolean =>
    (settings.originCode === undefined && originCodes.length === 0) ||
    originCodes.includes(code) ||
    (kind === 'customer' && code === settings.originCode)
  function findFault(account: AccountTrust, rules: AccountContext['rules'], step: Step): OriginFault | null {
    const originCid = getOriginCid(step)
    if (originCid !== undefined)
      return rules.has('origin-code-owned') && !isRegistered(account, originCid) ? notOwned : null
    if (!textChannels.has(step.channel) || !rules.has('origin-code-present')) return null
    return getDefaultOrigin(account, settings) === undefined ? missing : null
  }

  return {
    name: 'origin',
    checkDraft({ account, rules }, { draft, getPath, issues }) {
      const isChecked = rules.has('origin-code-owned') || rules.has('origin-code-present')
      if (!isChecked) return
      draft.steps.forEach((step, index) => {
        const fault = findFault(account, rules, step)
        if (fault !== null)
          issues.add(invalidField('A300', `${getPath(step, index)}originCID`, fault.clientText))
      })
    },
    checkSubmission({ account, rules }, { content }) {
      const fault = findFault(account, rules, content)
      if (fault === null) return null
      return { verdict: 'fail', rule: fault.rule, cause: 'origin-code', text: fault.operatorText }
    },
    isRouteAllowed({ rules }, { channel }, route) {
      return !rules.has('origin-code-carried') || !textChannels.has(channel) || hasSlot(route)
    },
  }
}

const hasSlot = cacheByRoute(supportsOriginCode)
