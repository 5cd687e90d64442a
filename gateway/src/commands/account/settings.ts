/** The settings of an account as options of `postern account create` and `postern account set`. Pure. */
import type { Option } from 'commander'
import {
  families,
  reportKeys,
  type AccountLimits,
  type AccountSettings,
  type Family,
  type ReportKeys,
  uncertainFallbacks,
  type UncertainFallback,
} from '../../accounts/account.ts'
import { usualLanes, type UsualLane } from '../../channels/lane.ts'
import type { Right } from '../../operators/rights.ts'
import type { Config } from '../../platform/config.ts'
import { UsageError } from '../errors.ts'
import { checked, oneOf, onOrOff, wholeNumber } from '../options.ts'
import type { LimitSetting } from '../setting-lists.ts'

/** 'default', 'by-kind' and 'kept' stand for null, which commander would turn into an empty text. */
export interface SettingsOptions {
  readonly polling?: boolean
  readonly partCounts?: boolean
  readonly reportKeys?: ReportKeys
  readonly sendLimit?: number | 'default'
  readonly reportLimit?: number | 'default'
  readonly fileLimit?: number | 'default'
  readonly formLimit?: number | 'default'
  readonly lane?: UsualLane | 'by-kind'
  readonly weight?: number
  readonly eraseAfter?: number | 'kept'
  readonly uncertainFallback?: UncertainFallback
}

const limited: Readonly<Record<Family, string>> = {
  send: 'destinations',
  report: 'polls, acknowledgements and inquiries',
  file: 'uploads',
  form: 'requests about forms',
}

export function settingsOptions(): Option[] {
  return [
    ...onOrOff('polling', 'let the account poll its reports (the default)', 'refuse polling'),
    ...onOrOff('part-counts', 'add resCnt to its reports', 'leave resCnt out (the default)'),
    oneOf(
      '--report-keys <set>',
      "keys of a report; plain leaves out sendTime, resCnt and userType (a new account's: full)",
      reportKeys,
    ),
    ...families.map((family) =>
      checked(
        `--${family}-limit <n>`,
        `${limited[family]} per second: 0 to 9999999, 0 is no limit; "default" is POSTERN_${family.toUpperCase()}_LIMIT`,
        readLimit,
      ),
    ),
    oneOf(
      '--lane <lane>',
      "lane of its messages; by-kind lets each message decide, and one with a time limit of five minutes or less is urgent; codes is by-kind with one-time codes alone in the urgent lane (a new account's: by-kind)",
      [...usualLanes, 'by-kind'],
    ),
    wholeNumber(
      '--weight <n>',
      "share of a route when other accounts wait too, and of what may be accepted while more is sent than recorded (a new account's: 1)",
      {
        min: 1,
        max: 100,
      },
    ),
    checked(
      '--erase-after <when>',
      'erase text and recipient of a message: "close", days after its close (1 to 366), or "kept" until POSTERN_RETENTION_DAYS (a new account\'s: kept)',
      readEraseAfter,
    ),
    oneOf(
      '--uncertain-fallback <when>',
      "start the next step of a flow when it is not known whether a step was delivered, which may deliver both: always, after-timeout (the carrier had accepted it, and no receipt came in time), never (a new account's: always)",
      uncertainFallbacks,
    ),
  ]
}

/** Limits, and what erases data. */
export function isRecordedWithReason(given: SettingsOptions): boolean {
  return given.eraseAfter !== undefined || families.some((family) => given[`${family}Limit`] !== undefined)
}

/** What a change needs besides the right to change settings: it raises or lifts a limit, or erases what is stored already. */
export function rightsFor(
  before: AccountSettings,
  after: AccountSettings,
  configured: Pick<Config, LimitSetting>,
): Right[] {
  const { eraseAfterDays: former } = before
  const { eraseAfterDays: days } = after
  const lifts = families.some((family) => {
    const usual = configured[`${family}Limit`]
    return raises(before.limits[family] ?? usual, after.limits[family] ?? usual)
  })
  const erases = days !== null && (former === null || days < former)
  return [...(lifts ? (['trust'] as const) : []), ...(erases ? (['erase'] as const) : [])]
}

/** 0 is no limit. */
function raises(before: number, after: number): boolean {
  return before !== 0 && (after === 0 || after > before)
}

/** `before`, changed by the options that are given. */
export function changeSettings(before: AccountSettings, given: SettingsOptions): AccountSettings {
  const limits = Object.fromEntries(
    families.map((family) => {
      const limit = given[`${family}Limit`]
      return [family, limit === undefined ? before.limits[family] : limit === 'default' ? null : limit]
    }),
  ) as AccountLimits
  const { lane, eraseAfter } = given
  return {
    mayPoll: given.polling ?? before.mayPoll,
    partCounts: given.partCounts ?? before.partCounts,
    reportKeys: given.reportKeys ?? before.reportKeys,
    limits,
    lane: lane === undefined ? before.lane : lane === 'by-kind' ? null : lane,
    weight: given.weight ?? before.weight,
    eraseAfterDays:
      eraseAfter === undefined ? before.eraseAfterDays : eraseAfter === 'kept' ? null : eraseAfter,
    uncertainFallback: given.uncertainFallback ?? before.uncertainFallback,
  }
}

function readLimit(text: string, option: string): number | 'default' {
  if (text === 'default') return text
  if (!/^\d{1,7}$/.test(text))
    throw new UsageError(`${option} must be requests per second (0 is no limit) or default, not '${text}'`)
  return Number(text)
}

function readEraseAfter(text: string, option: string): number | 'kept' {
  if (text === 'kept') return text
  if (text === 'close') return 0
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > 366)
    throw new UsageError(`${option} must be close, a number of days from 1 to 366, or kept, not '${text}'`)
  return days
}
