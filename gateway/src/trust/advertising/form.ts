/**
 * The form of advertisements: what the law demands of their text, and where RCS and alimtalk must not have it. Pure, over
 * what is set for accounts; judged at accept. A client reads which part is missing and what to write.
 */
import { advertisementMark, hasMark, markOf } from '../../channels/advertisement.ts'
import type { Step } from '../../channels/channel.ts'
import { adFlagOf } from '../../channels/kakao/advertisement.ts'
import { someText } from '../../channels/step-texts.ts'
import { FieldProblem } from '../../contract/problem.ts'
import type { JudgedAccount, RuleGroup } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import type { AccountAdvertising, AdvertisingAccounts } from './accounts.ts'

interface FormFault {
  readonly field: string
  readonly reason: string
}

/** Null: the step complies. */
type Check = (fields: Fields, account: AccountAdvertising) => FormFault | null

interface Fields {
  readonly from: string
  readonly text: string
  readonly footer: string
  readonly step: Step
}

const mark: Check = ({ text }) =>
  markOf(text) === 'exact'
    ? null
    : {
        field: 'text',
        reason: `an advertisement must begin with ${advertisementMark} in exactly this form, in the text and not only in the title or an image`,
      }

const name: Check = ({ text }, { names }) => {
  const after = text.slice(text.startsWith(advertisementMark) ? advertisementMark.length : 0)
  const beginning = after.replace(/^[\s\p{P}\p{S}]+/u, '')
  if (names.some((one) => beginning.startsWith(one))) return null
  return {
    field: 'text',
    reason:
      names.length === 0
        ? 'an advertisement must name its sender, and the account has no registered name; ask the operator of the service to register one'
        : `after ${advertisementMark} an advertisement must name its sender, by a name that is registered for the account`,
  }
}

const optOut: Check = ({ from, text }) =>
  from.startsWith('080') || optOutNumberOf(text) !== null
    ? null
    : {
        field: 'text',
        reason:
          'the last line of an advertisement must say how to opt out free of charge: 무료수신거부 or 무료거부 and an 080 number',
      }

const optOutRegistered: Check = ({ from, text, footer }, { optOutNumbers }) => {
  const isRcs = footer !== ''
  const number = isRcs ? footer.replace(/\D/g, '') : (optOutNumberOf(text) ?? from)
  return optOutNumbers.includes(number)
    ? null
    : {
        field: isRcs ? 'footer' : 'text',
        reason:
          'the free number for opting out is not registered for the account; ask the operator of the service to register it',
      }
}

const noMarkInRcs: Check = ({ step }) =>
  hasMark(step) || someText(step, (text) => text.includes(advertisementMark), advertisementMark)
    ? {
        field: 'content',
        reason: `carriers refuse ${advertisementMark} in an RCS text; set header to 1 and footer to the number for opting out`,
      }
    : null

const noMarkInAlimtalk: Check = ({ step }) =>
  hasMark(step)
    ? { field: 'text', reason: 'alimtalk must not advertise; send a friendtalk, a brand message or a text' }
    : null

const flagInKakao: Check = ({ step }) =>
  'content' in step && adFlagOf(step.content) === 'N' && hasMark(step)
    ? {
        field: 'adFlag',
        reason: `a message with ${advertisementMark} is an advertisement; set adFlag to Y, or remove the mark`,
      }
    : null

interface FormCheck {
  readonly rule: RuleId
  /** Only steps that are advertisements are checked. */
  readonly adsOnly: boolean
  readonly check: Check
}

const ofTexts: readonly FormCheck[] = [
  { rule: 'advertisement-mark', adsOnly: true, check: mark },
  { rule: 'advertisement-sender-name', adsOnly: true, check: name },
  { rule: 'advertisement-opt-out', adsOnly: true, check: optOut },
  { rule: 'advertisement-opt-out-registered', adsOnly: true, check: optOutRegistered },
]

const ofKakao: readonly FormCheck[] = [
  { rule: 'kakao-advertisement-flag', adsOnly: false, check: flagInKakao },
]

const checks: Readonly<Partial<Record<Step['channel'], readonly FormCheck[]>>> = {
  sms: ofTexts,
  mms: ofTexts,
  rcs: [
    { rule: 'rcs-advertisement-header', adsOnly: false, check: noMarkInRcs },
    { rule: 'advertisement-opt-out-registered', adsOnly: true, check: optOutRegistered },
  ],
  alimtalk: [{ rule: 'alimtalk-not-advertisement', adsOnly: false, check: noMarkInAlimtalk }],
  friendtalk: ofKakao,
  brandmessage: ofKakao,
}

export function createAdvertisingForm(accounts: AdvertisingAccounts): RuleGroup {
  function findFault({ accountId, rules }: JudgedAccount, step: Step): FormFault | null {
    const list = checks[step.channel]
    if (list === undefined) return null
    let isAdvertisement: boolean | undefined
    let fields: Fields | undefined
    for (const { rule, adsOnly, check } of list) {
      if (!rules.has(rule)) continue
      if (adsOnly && !(isAdvertisement ??= accounts.isAdvertisement(accountId, step))) continue
      const fault = check((fields ??= fieldsOf(step)), accounts.of(accountId))
      if (fault !== null) return fault
    }
    return null
  }

  return {
    name: 'advertising',
    load: (database) => accounts.load(database),
    judgeDraft(judged, { draft, placeOf, issues }) {
      draft.steps.forEach((step, index) => {
        const fault = findFault(judged, step)
        if (fault === null) return
        const field = placeOf(step, index) + fault.field
        issues.add(
          new FieldProblem(
            'A340',
            `Wrong form of an advertisement, '${field}': ${fault.reason}`,
            field,
            fault.reason,
          ),
        )
      })
    },
  }
}

/** The number of the last line that is not empty; null without the words or an 080 number. */
function optOutNumberOf(text: string): string | null {
  const lastLine = text.trimEnd().split('\n').at(-1)!
  const compact = lastLine.replace(/[^\p{L}\p{N}]/gu, '')
  return /무료(?:수신)?거부\p{L}{0,10}(080\d{7,8})(?!\d)/u.exec(compact)?.[1] ?? null
}

/** Of a draft that a dry run has found wrong, fields may be missing. */
function fieldsOf(step: Step): Fields {
  const content = 'content' in step ? step.content : step
  const { from, text, footer } = content as {
    readonly from?: unknown
    readonly text?: unknown
    readonly footer?: unknown
  }
  const read = (value: unknown): string => (typeof value === 'string' ? value : '')
  return { from: read(from), text: read(text), footer: read(footer), step }
}
