/**
 * The code of the operator that first accepted a message (`originCID`): an account uses its own, and its messages carry
 * one to the carrier. Pure, over what is set for accounts.
 */
import type { ChannelName, Step } from '../../channels/channel.ts'
import { originCidOf } from '../../channels/content.ts'
import { carriesOrigin } from '../../connectors/registry.ts'
import { invalidField } from '../../contract/problem.ts'
import type { RouteShare } from '../../routes/shares.ts'
import type { AccountTrust } from '../accounts.ts'
import type { TrustSettings } from '../settings.ts'
import type { RuleId } from '../rules.ts'
import type { RuleGroup, JudgedAccount } from '../rule-group.ts'

type Settings = Pick<TrustSettings, 'originCode'>

/** Undefined where neither the account nor the operator has a code. A reseller never sends under that of the operator. */
export function defaultOriginOf(
  { kind, originCodes }: AccountTrust,
  { originCode }: Settings,
): string | undefined {
  return originCodes[0] ?? (kind === 'reseller' ? undefined : originCode)
}

export function isDomestic(channel: ChannelName): boolean {
  return channel !== 'international'
}

/** Channels whose carriers drop a message without the code. */
const text: ReadonlySet<ChannelName> = new Set<ChannelName>(['sms', 'mms'])

interface Fault {
  readonly rule: RuleId
  /** For the client. */
  readonly words: string
  /** For the operator, of a message that was accepted before. */
  readonly text: string
}

const notOwned: Fault = {
  rule: 'origin-code-owned',
  words: 'is not a code of the account; leave it out, or ask the operator of the service to register it',
  text: 'originCID is no longer a code of the account',
}
const missing: Fault = {
  rule: 'origin-code-present',
  words:
    'is missing, and the account has no code of its own; ask the operator of the service to register one',
  text: 'neither the account nor the operator has an origin code',
}

export function createOrigin(settings: Settings): RuleGroup {
  const isOwn = (account: AccountTrust, code: string): boolean =>
    account.originCodes.includes(code) || (account.kind === 'customer' && code === settings.originCode)
  function findFault(account: AccountTrust, rules: JudgedAccount['rules'], step: Step): Fault | null {
    const given = originCidOf(step)
    if (given !== undefined) return rules.has('origin-code-owned') && !isOwn(account, given) ? notOwned : null
    if (!text.has(step.channel) || !rules.has('origin-code-present')) return null
    return defaultOriginOf(account, settings) === undefined ? missing : null
  }

  return {
    name: 'origin',
    judgeDraft({ account, rules }, { draft, placeOf, issues }) {
      const isJudged = rules.has('origin-code-owned') || rules.has('origin-code-present')
      if (!isJudged) return
      draft.steps.forEach((step, index) => {
        const fault = findFault(account, rules, step)
        if (fault !== null) issues.add(invalidField('A300', `${placeOf(step, index)}originCID`, fault.words))
      })
    },
    judgeSubmission({ account, rules }, { content }) {
      const fault = findFault(account, rules, content)
      if (fault === null) return null
      return { verdict: 'fail', rule: fault.rule, cause: 'origin-code', text: fault.text }
    },
    mayUse({ rules }, { channel }, route) {
      return !rules.has('origin-code-carried') || !text.has(channel) || hasSlot(route)
    },
  }
}

/** Reading the options of a route takes 20 µs; routes are replaced as a whole when they change. */
const slots = new WeakMap<RouteShare, boolean>()

function hasSlot(route: RouteShare): boolean {
  let known = slots.get(route)
  if (known === undefined) slots.set(route, (known = carriesOrigin(route.protocol, route.options)))
  return known
}
