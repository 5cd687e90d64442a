/**
 * Blocks advertisements at night in Korea or in the recipient's country. At night an advertisement is
 * refused, waits for the morning or is skipped for the next step, as configured for the account. Accept
 * checks the first step; every step is checked again when it is placed, released and claimed, so a backlog
 * that drifts into the night is not sent.
 */
import type { Step } from '../../channels/channel.ts'
import { FieldProblem } from '../../contract/problem.ts'
import type { AdvertisingAccounts } from '../advertising/accounts.ts'
import type { RuleDecision, DraftSubject, AccountContext, RuleEffect, RuleGroup } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import type { TrustSettings } from '../settings.ts'
import { createCountryWindowLookup } from './countries.ts'
import type { NightChoice } from './choices.ts'
import { QuietHoursTable } from './settings.ts'
import { formatMinutes, findOpening, timeInKorea, type SendingWindow } from './window.ts'
import { timeInZone } from './zone.ts'

/** Default of POSTERN_STEP_TTL_SECONDS. */
const defaultTtlSeconds = 86_400

interface Night {
  readonly rule: RuleId
  /** `Infinity` if it can never be sent. */
  readonly until: number
  readonly choice: NightChoice
  /** The allowed hours, as text for a client. */
  readonly hours: string
}

export interface QuietHoursContext {
  readonly accounts: AdvertisingAccounts
  readonly table?: QuietHoursTable
  /** Reports whether the recipient has agreed to advertisements at night. */
  readonly allowsNight: (accountId: number, to: string) => boolean
}

export function createQuietHours(
  { accounts, table = new QuietHoursTable(), allowsNight }: QuietHoursContext,
  {
    stepTtlSeconds = defaultTtlSeconds,
    countryHours,
  }: Pick<TrustSettings, 'stepTtlSeconds' | 'countryHours'>,
): RuleGroup {
  const findCountryWindow = createCountryWindowLookup(countryHours)
  /** Returns null if the step is no advertisement or can be sent at this time. */
  function findNight({ accountId, rules }: AccountContext, step: Step, to: string, at: number): Night | null {
    const isAbroad = step.channel === 'international'
    const rule = isAbroad ? 'advertisement-country-hours' : 'advertisement-quiet-hours'
    if (!rules.has(rule) || !accounts.isAdvertisement(accountId, step)) return null
    const { choice, ...korea } = table.get(accountId, step.channel)
    if (isAbroad) {
      const country = findCountryWindow(to)
      if (country === undefined) return null
      const { window, timeZone } = country
      if (window === null) return { rule, until: Infinity, choice, hours: `at no time to ${country.country}` }
      const until = findOpening(at, timeInZone(at, timeZone), window)
      return until === at ? null : { rule, until, choice, hours: describe(window, timeZone) }
    }
    const until = findOpening(at, timeInKorea(at), korea)
    if (until === at || allowsNight(accountId, to)) return null
    return { rule, until, choice, hours: describe(korea, 'Asia/Seoul') }
  }

  const canWait = ({ choice, until }: Night, step: Step, at: number): boolean =>
    choice === 'hold' && until < at + (step.ttlSeconds ?? stepTtlSeconds) * 1000

  /**
   * Notes the effect on the steps up to the first that is sent or waits; the times of later steps are
   * unknown.
   */
  function noteEffects(
    accountContext: AccountContext,
    { steps, to }: DraftSubject['draft'],
    at: number,
    note: (effect: RuleEffect) => void,
  ): void {
    for (const [index, step] of steps.entries()) {
      const night = findNight(accountContext, step, to, at)
      if (night === null) return
      const { rule, until, hours } = night
      const isHeld = canWait(night, step, at)
      note({
        rule,
        step: index,
        effect: isHeld ? 'delayed' : 'skipped',
        notBefore: isHeld ? until : null,
        reason: `advertisements are allowed ${hours}; ${isHeld ? 'the step waits until then' : 'the next step is tried immediately'}`,
      })
      if (isHeld) return
    }
  }

  return {
    name: 'quiet-hours',
    load: (database) => table.load(database),
    checkDraft(accountContext, { draft, getPath, issues, note }) {
      const first = draft.steps[0]
      if (first === undefined) return
      const at = draft.sendAt ?? accountContext.now
      const night = findNight(accountContext, first, draft.to, at)
      if (night === null) return
      const isHeld = canWait(night, first, at)
      // A later step that is no advertisement is sent instead.
      const canFallBack =
        night.choice !== 'refuse' &&
        draft.steps.slice(1).some((step) => !accounts.isAdvertisement(accountContext.accountId, step))
      if (isHeld || canFallBack)
        return note === undefined ? undefined : noteEffects(accountContext, draft, at, note)
      const field = draft.sendAt === undefined ? `${getPath(first, 0)}text` : 'sendAt'
      const isForbidden = night.until === Infinity
      const isTtlTooShort = night.choice === 'hold'
      const fallback = night.choice === 'refuse' ? '' : ', or add a fallback that is no advertisement'
      const reason = isForbidden
        ? `advertisements are allowed ${night.hours}; remove the recipient${fallback}`
        : isTtlTooShort
          ? `advertisements are allowed ${night.hours}, but the ttl ends before that; set a longer ttl, or schedule it with sendAt`
          : `advertisements are allowed ${night.hours}; send it then, or schedule it with sendAt${fallback}`
      issues.add(new FieldProblem('A341', `Advertisement in quiet hours: ${reason}`, field, reason))
    },
    checkSubmission(accountContext, { content, to, dueAt }): RuleDecision | null {
      const night = findNight(accountContext, content, to, accountContext.now)
      if (night === null) return null
      const { rule, until, choice } = night
      if (choice === 'hold' && until < dueAt) return { verdict: 'hold', rule, until }
      const text = `an advertisement at night; advertisements are allowed ${night.hours}`
      return { verdict: 'fail', rule, cause: 'night-hours', text }
    },
  }
}

function describe({ opensAt, closesAt, closedOn = [] }: SendingWindow, timeZone: string): string {
  const days = closedOn.includes(0) ? ', not on Sundays' : ''
  return `from ${formatMinutes(opensAt)} to ${formatMinutes(closesAt)} (${timeZone})${days}`
}
