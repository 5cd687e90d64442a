/**
 * Checks the form of advertisements: the legal requirements for their text, marks that RCS and alimtalk must
 * not contain, and the flag that friendtalk and brand messages with a mark need. Accept checks the whole form;
 * names and numbers that are registered for the account are checked again before a submission.
 */
import { advertisementMark, hasMark, getAdvertisementMark } from '../../channels/advertisement.ts'
import type { Step } from '../../channels/channel.ts'
import { getAdFlag } from '../../channels/kakao/submission.ts'
import { someStepText } from '../../channels/step-texts.ts'
import { FieldProblem } from '../../contract/problem.ts'
import type { RuleDecision, DraftSubject, AccountContext, RuleGroup } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import type { AccountAdvertising, AdvertisingAccounts } from './accounts.ts'

interface FormFault {
  readonly field: string
  readonly reason: string
}

/**
 * Returns null if the step complies, or breaks the rule only as a consequence of one of `broken`, which are
 * already reported.
 */
type Check = (fields: Fields, account: AccountAdvertising, broken: readonly RuleId[]) => FormFault | null

interface Fields {
  readonly from: string
  readonly text: string
  readonly footer: string
  readonly step: Step
}

const checkMark: Check = ({ text }) =>
  getAdvertisementMark(text) === 'exact'
    ? null
    : {
        field: 'text',
        reason: `an advertisement must begin with ${advertisementMark} in exactly this form, in the text and not only in the title or an image`,
      }

const checkName: Check = ({ text }, { names }, broken) => {
  const after = text.slice(text.startsWith(advertisementMark) ? advertisementMark.length : 0)
  const beginning = after.replace(/^[\s\p{P}\p{S}]+/u, '')
  if (names.some((name) => beginning.startsWith(name))) return null
  // After a mark of another form the position of the name is unknown: the name is certainly missing only if
  // it appears nowhere.
  const isPositionKnown = !broken.includes('advertisement-mark') || getAdvertisementMark(text) === 'none'
  if (!isPositionKnown && names.some((name) => text.includes(name))) return null
  return {
    field: 'text',
    reason:
      names.length === 0
        ? 'an advertisement must name its sender, but the account has no registered name; ask the service operator to register one'
        : `after ${advertisementMark} an advertisement must name its sender with a name registered for the account`,
  }
}

const checkOptOut: Check = ({ from, text }) =>
  from.startsWith('080') || findOptOutNumber(text) !== null
    ? null
    : {
        field: 'text',
        reason:
          'the last line of an advertisement must be the free opt-out: 무료수신거부 or 무료거부 and an 080 number',
      }

const checkOptOutNumber: Check = ({ from, text, footer, step }, { optOutNumbers }, broken) => {
  // Without an opt-out line there is no number to check.
  if (broken.includes('advertisement-opt-out')) return null
  if (footer === '' && broken.includes('rcs-advertisement-header')) return null
  const number = footer === '' ? (findOptOutNumber(text) ?? from) : footer.replace(/\D/g, '')
  return optOutNumbers.includes(number)
    ? null
    : {
        field: step.channel === 'rcs' ? 'footer' : 'text',
        reason:
          'the free opt-out number is not registered for the account; ask the service operator to register it',
      }
}

const noMarkInRcs: Check = ({ step }) =>
  hasMark(step) || someStepText(step, (text) => text.includes(advertisementMark), advertisementMark)
    ? {
        field: 'content',
        reason: `${advertisementMark} is not allowed in an RCS text; set header to 1 and footer to the opt-out number`,
      }
    : null

const noMarkInAlimtalk: Check = ({ step }) =>
  hasMark(step)
    ? {
        field: 'text',
        reason: 'alimtalk must not contain advertising; send a friendtalk, a brand message or a text',
      }
    : null

const flagInKakao: Check = ({ step }) =>
  'content' in step && getAdFlag(step.content) === 'N' && hasMark(step)
    ? {
        field: 'adFlag',
        reason: `a message with ${advertisementMark} is an advertisement; set adFlag to Y, or remove the mark`,
      }
    : null

interface FormCheck {
  readonly rule: RuleId
  /** Whether only advertisements are checked. */
  readonly adsOnly: boolean
  readonly check: Check
  /** The decision on a submission, for a check of registered data that can be removed after accept. */
  readonly denial?: RuleDecision
}

const failed = { verdict: 'fail', cause: 'advertisement-form' } as const
const nameRemoved: RuleDecision = {
  ...failed,
  rule: 'advertisement-sender-name',
  text: 'the advertisement contains no name registered for the account',
}
const optOutRemoved: RuleDecision = {
  ...failed,
  rule: 'advertisement-opt-out-registered',
  text: 'the free opt-out number is not registered for the account',
}

const numberRegistered: FormCheck = {
  rule: 'advertisement-opt-out-registered',
  adsOnly: true,
  check: checkOptOutNumber,
  denial: optOutRemoved,
}

const textChecks: readonly FormCheck[] = [
  { rule: 'advertisement-mark', adsOnly: true, check: checkMark },
  { rule: 'advertisement-sender-name', adsOnly: true, check: checkName, denial: nameRemoved },
  { rule: 'advertisement-opt-out', adsOnly: true, check: checkOptOut },
  numberRegistered,
]

const kakaoChecks: readonly FormCheck[] = [
  { rule: 'kakao-advertisement-flag', adsOnly: false, check: flagInKakao },
]

const checks: Readonly<Partial<Record<Step['channel'], readonly FormCheck[]>>> = {
  sms: textChecks,
  mms: textChecks,
  rcs: [{ rule: 'rcs-advertisement-header', adsOnly: false, check: noMarkInRcs }, numberRegistered],
  alimtalk: [{ rule: 'alimtalk-not-advertisement', adsOnly: false, check: noMarkInAlimtalk }],
  friendtalk: kakaoChecks,
  brandmessage: kakaoChecks,
}

const noRules: readonly RuleId[] = []

export function createAdvertisingForm(accounts: AdvertisingAccounts): RuleGroup {
  /** Checks a step. A send needs only the first fault, a dry run all of them. */
  function checkStep({ accountId, rules }: AccountContext, index: number, subject: DraftSubject): void {
    const step = subject.draft.steps[index]!
    const list = checks[step.channel]
    if (list === undefined) return
    let isAdvertisement: boolean | undefined
    let fields: Fields | undefined
    let broken = noRules
    for (const { rule, adsOnly, check } of list) {
      if (!rules.has(rule)) continue
      if (adsOnly && !(isAdvertisement ??= accounts.isAdvertisement(accountId, step))) continue
      const fault = check((fields ??= readFields(step)), accounts.get(accountId), broken)
      if (fault === null) continue
      subject.issues.add(toProblem(fault, subject.getPath(step, index)))
      if (subject.issues.isSettled()) return
      broken = [...broken, rule]
    }
  }

  return {
    name: 'advertising',
    load: (database) => accounts.load(database),
    checkDraft(accountContext, subject) {
      for (let index = 0; index < subject.draft.steps.length; index++)
        checkStep(accountContext, index, subject)
    },
    checkSubmission({ accountId, rules }, { content: step }) {
      const list = checks[step.channel]
      if (list === undefined) return null
      let fields: Fields | undefined
      for (const { rule, check, denial } of list) {
        if (denial === undefined || !rules.has(rule)) continue
        if (fields === undefined && !accounts.isAdvertisement(accountId, step)) return null
        if (check((fields ??= readFields(step)), accounts.get(accountId), noRules) !== null) return denial
      }
      return null
    },
  }
}

function toProblem({ field: name, reason }: FormFault, path: string): FieldProblem {
  const field = path + name
  return new FieldProblem('A340', `Wrong form of an advertisement, '${field}': ${reason}`, field, reason)
}

/** Returns the 080 number after the opt-out words of the last line that is not empty, or null if there is none. */
function findOptOutNumber(text: string): string | null {
  const lastLine = text.trimEnd().split('\n').at(-1)!
  const compact = lastLine.replace(/[^\p{L}\p{N}]/gu, '')
  return /무료(?:수신)?거부\p{L}{0,10}(080\d{7,8})(?!\d)/u.exec(compact)?.[1] ?? null
}

/** Reads the fields, of which some can be missing in a dry run of an invalid draft. */
function readFields(step: Step): Fields {
  const content = 'content' in step ? step.content : step
  const { from, text, footer } = content as {
    readonly from?: unknown
    readonly text?: unknown
    readonly footer?: unknown
  }
  const read = (value: unknown): string => (typeof value === 'string' ? value : '')
  return { from: read(from), text: read(text), footer: read(footer), step }
}
