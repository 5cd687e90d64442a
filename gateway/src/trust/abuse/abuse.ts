/**
 * Protects an account against abuse: countries, premium numbers, velocity, sequences of numbers, links and caps. Countries are
 * checked at accept and again at submission. A suspicious message is refused, or accepted and held for an operator, as is set
 * for the account.
 */
import type { Draft } from '../../channels/channel.ts'
import { isOneTimeCode } from '../../channels/one-time-code.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { RuleId } from '../rules.ts'
import type { TrustSettings } from '../settings.ts'
import type { DraftSubject, JudgedAccount, RuleGroup } from '../rule-group.ts'
import { capUsesOf } from './cap-classes.ts'
import { toCapProblem } from './cap-problem.ts'
import type { CapResult, Caps } from './caps.ts'
import { closed, closedText, isClosed } from './closed-countries.ts'
import type { Conversions } from './conversions.ts'
import { isPremiumRecipient } from '../../channels/country-codes.ts'
import { defaultProtection, loadProtection, type ProtectedAccount } from './protection.ts'
import { Sequences } from './sequences.ts'
import { shorteners } from './shorteners.ts'
import { createFindLinkFault, hasCarrierMark } from './text-check.ts'
import { Velocity, type VelocityLimit, type VelocityOptions } from './velocity.ts'

export type CountedDraft = Pick<Draft, 'to' | 'steps'>
/** The reason why the draft is refused, or a function that undoes the count of a draft that was not accepted. */
export type Counted = Problem | (() => void)
/** Marks a draft that a rule finds suspicious: an operator decides. */
export type Hold = (rule: RuleId) => void

export interface Abuse extends RuleGroup {
  /** Counts a draft that is about to be accepted, for velocity, caps, sequences and conversions. */
  readonly takeDraft: (judged: JudgedAccount, draft: CountedDraft, hold: Hold) => Promise<Counted>
  /** Returns the velocity limit and the cap that the draft would exceed. Counts nothing. */
  readonly previewDraft: (judged: JudgedAccount, draft: CountedDraft, hold: Hold) => Promise<Problem[]>
}

export interface AbuseOptions {
  /** Absent in workers, which accept nothing. */
  readonly caps?: Pick<Caps, 'take' | 'findReached'>
  readonly conversions?: Pick<Conversions, 'isLow' | 'add'>
  /** Absent in workers. */
  readonly velocity?: Omit<VelocityOptions, 'settings'>
  readonly settings?: Pick<TrustSettings, 'recipientPerHour' | 'prefixPerTenMinutes' | 'shorteners'>
  /** The protection of accounts until `load` is called. */
  readonly accounts?: ReadonlyMap<number, ProtectedAccount>
}

export function createAbuse(options: AbuseOptions = {}): Abuse {
  const { caps, conversions, settings = {}, accounts = new Map() } = options
  let known: ReadonlyMap<number, ProtectedAccount> = accounts
  const velocity = options.velocity && new Velocity({ ...options.velocity, settings })
  const sequences = new Sequences()
  const protectionOf = (accountId: number): ProtectedAccount => known.get(accountId) ?? defaultProtection
  const findLinkFault = createFindLinkFault(new Set([...shorteners, ...(settings.shorteners ?? [])]))

  function suspect(subject: DraftSubject, own: ProtectedAccount, problem: Suspicion): void {
    const { rule, code, field, reason } = problem
    if (own.onSuspicion === 'hold') subject.hold?.(rule)
    else subject.issues.add(invalidField(code, field, reason))
  }

  function judgeRecipient(judged: JudgedAccount, own: ProtectedAccount, subject: DraftSubject): void {
    const { rules, accountId, now } = judged
    const { to } = subject.draft
    if (own.safeNumbers.some((safe) => to.startsWith(safe))) return
    if (rules.has('sequential-numbers') && sequences.isSequence(accountId, to))
      suspect(subject, own, {
        ...{ rule: 'sequential-numbers', code: 'A344', field: 'to' },
        reason:
          'half of the last recipients differ in the last three digits only; ask the operator if that is intended',
      })
    if (
      rules.has('low-conversion') &&
      conversions?.isLow(accountId, to, now) === true &&
      subject.draft.steps.some(isOneTimeCode)
    )
      suspect(subject, own, {
        ...{ rule: 'low-conversion', code: 'A345', field: 'to' },
        reason:
          'few of the codes to this country were used since yesterday; check who makes your service send them, and report codes that were used',
      })
  }

  function judgeTexts({ rules, account }: JudgedAccount, own: ProtectedAccount, subject: DraftSubject): void {
    const checksLinks = own.links !== 'any' && rules.has('link-allowed') && !account.sandbox
    const checksMarks = rules.has('carrier-mark-not-in-text')
    if (!checksLinks && !checksMarks) return
    subject.draft.steps.forEach((step, index) => {
      const fieldOf = (): string => `${subject.placeOf(step, index)}text`
      if (checksMarks && hasCarrierMark(step))
        subject.issues.add(
          invalidField(
            'A322',
            fieldOf(),
            'has a mark such as [Web발신], which only carriers may write; remove it',
          ),
        )
      const reason = checksLinks ? findLinkFault(own, step) : null
      if (reason !== null)
        suspect(subject, own, { ...{ rule: 'link-allowed', code: 'A322' }, field: fieldOf(), reason })
    })
  }

  async function takeDraft(judged: JudgedAccount, draft: CountedDraft, hold: Hold): Promise<Counted> {
    const { accountId, now } = judged
    const own = protectionOf(accountId)
    // Counted before the first wait, so that concurrent messages to consecutive numbers see each other.
    const uncount = count(judged, draft)
    const capUses = caps === undefined ? [] : capUsesOf(own.caps, draft)
    const taken = capUses.length === 0 ? nothingTaken : await caps!.take(accountId, capUses, now)
    if (taken.kind !== 'taken') {
      uncount()
      return toCapProblem(taken)
    }
    const limits = velocity?.findLimits(judged, own, draft.to) ?? []
    const reached = await velocity?.take(limits)
    if (reached !== undefined && own.onSuspicion === 'refuse') {
      uncount()
      taken.putBack()
      return toVelocityProblem(reached)
    }
    if (reached !== undefined) hold(reached.rule)
    return () => {
      uncount()
      taken.putBack()
      if (reached === undefined) velocity?.putBack(limits)
    }
  }

  function count({ accountId, rules, now }: JudgedAccount, { to, steps }: CountedDraft): () => void {
    const isNew = rules.has('sequential-numbers') && sequences.add(accountId, to)
    const uncountCode = rules.has('low-conversion') ? conversions?.add(accountId, to, steps, now) : undefined
    return () => {
      uncountCode?.()
      if (isNew) sequences.remove(accountId, to)
    }
  }

  async function previewDraft(judged: JudgedAccount, draft: CountedDraft, hold: Hold): Promise<Problem[]> {
    const { accountId, now } = judged
    const own = protectionOf(accountId)
    const problems: Problem[] = []
    const limit = await velocity?.findReached(velocity.findLimits(judged, own, draft.to))
    if (limit !== undefined && own.onSuspicion === 'refuse') problems.push(toVelocityProblem(limit))
    else if (limit !== undefined) hold(limit.rule)
    const capUses = capUsesOf(own.caps, draft)
    const cap = capUses.length === 0 ? null : ((await caps?.findReached(accountId, capUses, now)) ?? null)
    if (cap !== null) problems.push(toCapProblem({ kind: 'reached', cap }))
    return problems
  }

  return {
    name: 'abuse',
    async load(database) {
      known = await loadProtection(database)
    },
    judgeDraft(judged, subject) {
      const { rules, accountId, account } = judged
      const { to } = subject.draft
      if (rules.has('premium-recipient') && isPremiumRecipient(to))
        subject.issues.add(
          invalidField('A306', 'to', 'is a premium, freephone or satellite number; send to another number'),
        )
      const own = protectionOf(accountId)
      if (isClosed(judged, own, to)) subject.issues.add(new Problem('A342', closedText(to)))
      if (!account.sandbox) judgeRecipient(judged, own, subject)
      judgeTexts(judged, own, subject)
    },
    judgeSubmission(judged, { to }) {
      return isClosed(judged, protectionOf(judged.accountId), to) ? closed : null
    },
    takeDraft,
    previewDraft,
  }
}

const nothingTaken: CapResult = { kind: 'taken', putBack: () => undefined }

function toVelocityProblem({ reason }: VelocityLimit): Problem {
  return invalidField('A344', 'to', reason)
}

interface Suspicion {
  readonly rule: RuleId
  readonly code: ResultCode
  readonly field: string
  readonly reason: string
}
