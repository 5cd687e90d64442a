/**
 * Protects an account against abuse: countries, premium numbers, velocity, sequences of numbers, links and caps. Judged at
 * accept, countries also at submission, over what is set for the account in memory. What is suspicious is refused, or
 * accepted and held for an operator, as is set for the account.
 */
import type { Draft } from '../../channels/channel.ts'
import { isOneTimeCode } from '../../channels/one-time-code.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { RuleId } from '../rules.ts'
import type { TrustSettings } from '../settings.ts'
import type { DraftSubject, JudgedAccount, RuleGroup } from '../rule-group.ts'
import { capUsesOf } from './cap-classes.ts'
import { toProblem } from './cap-problem.ts'
import type { CapResult, Caps } from './caps.ts'
import { closed, closedText, isClosed } from './closed-countries.ts'
import type { Conversions } from './conversions.ts'
import { isPremiumRecipient } from '../../channels/country-codes.ts'
import { defaultProtection, loadProtection, type ProtectedAccount } from './protection.ts'
import { prefixOf, Sequences } from './sequences.ts'
import { shorteners } from './shorteners.ts'
import { createFindLinkFault, hasCarrierMark } from './text-check.ts'
import { createKeyHash } from './key-hash.ts'
import { SharedCounts } from './shared-counts.ts'

export type CountedDraft = Pick<Draft, 'to' | 'steps'>
/** Why the draft may not be accepted; else takes the count back, for a draft that was not accepted after all. */
export type Counted = Problem | (() => void)

export interface Abuse extends RuleGroup {
  /** What `share-counts.ts` shares with other processes. */
  readonly velocity: { readonly recipients: SharedCounts; readonly prefixes: SharedCounts }
  /** Counts a draft that is about to be accepted; not a promise for most. */
  readonly takeDraft: (judged: JudgedAccount, draft: CountedDraft) => Counted | Promise<Counted>
  /** For a dry run. */
  readonly previewDraft: (judged: JudgedAccount, draft: CountedDraft) => Promise<Problem | null>
}

export interface AbuseOptions {
  /** Absent in workers, which accept nothing. */
  readonly caps?: Pick<Caps, 'take' | 'findReached'>
  readonly conversions?: Pick<Conversions, 'isLow' | 'add'>
  readonly settings?: Pick<TrustSettings, 'recipientPerHour' | 'prefixPerTenMinutes' | 'shorteners'>
  /** Tests give them. */
  readonly accounts?: ReadonlyMap<number, ProtectedAccount>
  /** Numbers and prefixes that are counted at most. */
  readonly maxCounted?: number
  /** Of the hashes that processes compare; absent in a process that shares nothing. */
  readonly seed?: Uint8Array
}

/** Of POSTERN_RECIPIENT_PER_HOUR and POSTERN_PREFIX_PER_TEN_MINUTES. */
export const velocityDefaults = { recipientPerHour: 20, prefixPer10Minutes: 200 } as const
const hourMs = 3_600_000
const tenMinutesMs = 600_000

export function createAbuse({
  caps,
  conversions,
  settings = {},
  accounts = new Map(),
  maxCounted,
  seed,
}: AbuseOptions = {}): Abuse {
  let known: ReadonlyMap<number, ProtectedAccount> = accounts
  const hash = seed && createKeyHash(seed)
  const recipients = new SharedCounts(hourMs, maxCounted, hash)
  const prefixes = new SharedCounts(tenMinutesMs, maxCounted, hash)
  const sequences = new Sequences()
  const protectionOf = (accountId: number): ProtectedAccount => known.get(accountId) ?? defaultProtection
  const findLinkFault = createFindLinkFault(new Set([...shorteners, ...(settings.shorteners ?? [])]))

  function suspect(subject: DraftSubject, own: ProtectedAccount, problem: Suspicion): void {
    const { rule, code, field, reason } = problem
    if (own.onSuspicion === 'hold') subject.hold?.(rule)
    else subject.issues.add(invalidField(code, field, reason))
  }

  function judgeVelocity(judged: JudgedAccount, own: ProtectedAccount, subject: DraftSubject): void {
    const { rules, accountId, now } = judged
    const { to } = subject.draft
    if (own.safeNumbers.some((safe) => to.startsWith(safe))) return
    const perHour = own.recipientPerHour ?? settings.recipientPerHour ?? velocityDefaults.recipientPerHour
    if (rules.has('recipient-velocity') && recipients.isReached(accountId, to, now, perHour))
      suspect(subject, own, {
        ...{ rule: 'recipient-velocity', code: 'A344', field: 'to' },
        reason: `the account may send ${perHour} messages an hour to one number; send less often, or ask the operator`,
      })
    const per10Minutes =
      own.prefixPer10Minutes ?? settings.prefixPerTenMinutes ?? velocityDefaults.prefixPer10Minutes
    if (rules.has('prefix-velocity') && prefixes.isReached(accountId, prefixOf(to), now, per10Minutes))
      suspect(subject, own, {
        ...{ rule: 'prefix-velocity', code: 'A344', field: 'to' },
        reason: `the account may send ${per10Minutes} messages in ten minutes to numbers that differ in the last three digits only; send less often, or ask the operator`,
      })
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

  function takeDraft(judged: JudgedAccount, draft: CountedDraft): Counted | Promise<Counted> {
    const { accountId, now } = judged
    const own = known.get(accountId)
    if (caps === undefined || own === undefined || own.caps.length === 0) return count(judged, draft)
    const taken = caps.take(accountId, capUsesOf(own.caps, draft), now)
    const finish = (result: CapResult): Counted => {
      if (result.kind !== 'taken') return toProblem(result)
      const uncount = count(judged, draft)
      return () => {
        uncount()
        result.putBack()
      }
    }
    return taken instanceof Promise ? taken.then(finish) : finish(taken)
  }

  function count({ accountId, rules, now }: JudgedAccount, { to, steps }: CountedDraft): () => void {
    if (rules.has('recipient-velocity')) recipients.add(accountId, to, now)
    if (rules.has('prefix-velocity')) prefixes.add(accountId, prefixOf(to), now)
    const isNew = rules.has('sequential-numbers') && sequences.add(accountId, to)
    const uncountCode = rules.has('low-conversion') ? conversions?.add(accountId, to, steps, now) : undefined
    return () => {
      uncountCode?.()
      if (rules.has('recipient-velocity')) recipients.remove(accountId, to, now)
      if (rules.has('prefix-velocity')) prefixes.remove(accountId, prefixOf(to), now)
      if (isNew) sequences.remove(accountId, to)
    }
  }

  return {
    name: 'abuse',
    velocity: { recipients, prefixes },
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
      if (!account.sandbox) judgeVelocity(judged, own, subject)
      judgeTexts(judged, own, subject)
    },
    judgeSubmission(judged, { to }) {
      return isClosed(judged, protectionOf(judged.accountId), to) ? closed : null
    },
    takeDraft,
    async previewDraft({ accountId, now }, draft) {
      const uses = capUsesOf(protectionOf(accountId).caps, draft)
      if (caps === undefined || uses.length === 0) return null
      const cap = await caps.findReached(accountId, uses, now)
      return cap === null ? null : toProblem({ kind: 'reached', cap })
    },
  }
}

interface Suspicion {
  readonly rule: RuleId
  readonly code: ResultCode
  readonly field: string
  readonly reason: string
}
