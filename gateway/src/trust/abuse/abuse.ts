/**
 * Protects accounts against abuse of their credentials: recipients, countries, links and texts. A suspicious
 * message is refused, or accepted and held for an operator, as configured for the account; one to a special-rate
 * number or a closed country or with a carrier mark is always refused. `draft-counting.ts` counts accepted
 * messages.
 */
import { findCountry, isSpecialRateRecipient } from '../../channels/country-codes.ts'
import { isOneTimeCode } from '../../channels/one-time-code.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { RuleDecision, DraftSubject, AccountContext, RuleGroup } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import type { TrustSettings } from '../settings.ts'
import type { Caps } from './caps.ts'
import type { Conversions } from './conversions.ts'
import { createDraftCounting, type DraftCounting } from './draft-counting.ts'
import { defaultProtection, loadProtection, type ProtectedAccount } from './protection.ts'
import { shorteners } from './links.ts'
import { createFindLinkFault, hasCarrierMark } from './text-check.ts'
import { Velocity, type VelocityOptions } from './velocity.ts'

export type AbuseRules = RuleGroup & DraftCounting<AccountContext>

/** A counter that is absent limits nothing. */
export interface AbuseOptions {
  readonly caps?: Pick<Caps, 'take' | 'findReached'>
  readonly conversions?: Pick<Conversions, 'isLow' | 'add'>
  readonly velocity?: Omit<VelocityOptions, 'settings'>
  readonly settings?: Pick<TrustSettings, 'recipientPerHour' | 'prefixPerTenMinutes' | 'shorteners'>
  /** The protection of accounts until `load` runs. */
  readonly accounts?: ReadonlyMap<number, ProtectedAccount>
}

export function createAbuse({
  caps,
  conversions,
  settings = {},
  accounts = new Map(),
  ...options
}: AbuseOptions = {}): AbuseRules {
  let protections = accounts
  const getProtection = (id: number): ProtectedAccount => protections.get(id) ?? defaultProtection
  const velocity = options.velocity && new Velocity({ ...options.velocity, settings })
  const findLinkFault = createFindLinkFault(new Set([...shorteners, ...(settings.shorteners ?? [])]))

  function checkRecipient(
    account: AccountContext,
    protection: ProtectedAccount,
    subject: DraftSubject,
  ): void {
    const { rules, accountId, now } = account
    const { to, steps } = subject.draft
    if (protection.safeNumbers.some((safe) => to.startsWith(safe))) return
    const isLow = rules.has('low-conversion') && conversions?.isLow(accountId, to, now) === true
    if (isLow && steps.some(isOneTimeCode))
      reportSuspicion(subject, protection, {
        rule: 'low-conversion',
        code: 'A345',
        field: 'to',
        reason:
          'few one-time codes to this country were used since yesterday; check what triggers them, and report used codes',
      })
  }

  function checkTexts(
    { rules, account }: AccountContext,
    protection: ProtectedAccount,
    subject: DraftSubject,
  ): void {
    const checksLinks = protection.links !== 'any' && rules.has('link-allowed') && !account.sandbox
    const checksMarks = rules.has('carrier-mark-not-in-text')
    if (!checksLinks && !checksMarks) return
    subject.draft.steps.forEach((step, index) => {
      const field = `${subject.getPath(step, index)}text`
      if (checksMarks && hasCarrierMark(step)) {
        const reason = 'must not contain a mark such as [Web발신], which is reserved for carriers; remove it'
        subject.issues.add(invalidField('A322', field, reason))
      }
      const reason = checksLinks ? findLinkFault(protection, step) : null
      if (reason !== null)
        reportSuspicion(subject, protection, { rule: 'link-allowed', code: 'A322', field, reason })
    })
  }

  return {
    name: 'abuse',
    async load(database) {
      protections = await loadProtection(database)
    },
    checkDraft(account, subject) {
      const { to } = subject.draft
      const protection = getProtection(account.accountId)
      if (account.rules.has('premium-recipient') && isSpecialRateRecipient(to))
        subject.issues.add(invalidField('A306', 'to', 'must not be a premium, freephone or satellite number'))
      if (isCountryClosed(account, protection, to)) subject.issues.add(countryProblem(to))
      if (!account.account.sandbox) checkRecipient(account, protection, subject)
      checkTexts(account, protection, subject)
    },
    checkSubmission(account, { to }) {
      return isCountryClosed(account, getProtection(account.accountId), to) ? countryClosed : null
    },
    ...createDraftCounting({ caps, conversions, velocity, getProtection }),
  }
}

interface Suspicion {
  readonly rule: RuleId
  readonly code: ResultCode
  readonly field: string
  readonly reason: string
}

function reportSuspicion(
  subject: DraftSubject,
  { onSuspicion }: ProtectedAccount,
  suspicion: Suspicion,
): void {
  const { rule, code, field, reason } = suspicion
  if (onSuspicion === 'hold') subject.hold?.(rule)
  else subject.issues.add(invalidField(code, field, reason))
}

/**
 * Reports whether the country is closed. A calling code that belongs to no country is open only if all
 * countries are.
 */
function isCountryClosed(
  { rules, account }: AccountContext,
  { countries }: ProtectedAccount,
  to: string,
): boolean {
  if (!to.startsWith('+') || !rules.has('country-enabled') || account.sandbox) return false
  return !countries.includes('*') && !countries.includes(findCountry(to) ?? '')
}

function countryProblem(to: string): Problem {
  const country = findCountry(to) ?? 'this calling code'
  return new Problem(
    'A342',
    `Country not enabled: ${country} is not enabled for the account; ask the service operator to enable it`,
  )
}

const countryClosed: RuleDecision = {
  verdict: 'fail',
  rule: 'country-enabled',
  cause: 'no-route',
  text: 'the country of the recipient is not enabled for the account',
}
