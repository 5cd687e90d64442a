/** The settings of an account as options of `postern account create` and `postern account set`. Pure. */
import { parseArgs } from 'node:util'
import {
  families,
  reportKeys,
  type AccountLimits,
  type AccountSettings,
  type ReportKeys,
} from '../accounts/account.ts'
import { lanes, type Lane } from '../channels/lane.ts'
import { UsageError } from './command.ts'

export const settingsUsage =
  '[--part-counts] [--no-polling] [--report-keys full|plain] [--send-limit N] [--report-limit N] [--file-limit N] [--form-limit N] [--lane urgent|normal|bulk|by-kind] [--weight 1-100] [--erase-after close|DAYS|kept]'

export const settingsOptions = {
  polling: { type: 'boolean' },
  'part-counts': { type: 'boolean' },
  'report-keys': { type: 'string' },
  'send-limit': { type: 'string' },
  'report-limit': { type: 'string' },
  'file-limit': { type: 'string' },
  'form-limit': { type: 'string' },
  lane: { type: 'string' },
  weight: { type: 'string' },
  'erase-after': { type: 'string' },
} as const

type Given = ReturnType<typeof parseArgs<{ options: typeof settingsOptions }>>['values']

/** `before`, with what the options name changed. */
export function changeSettings(before: AccountSettings, given: Given): AccountSettings {
  const limits = Object.fromEntries(
    families.map((family) => {
      const text = given[`${family}-limit`]
      return [family, text === undefined ? before.limits[family] : readLimit(`--${family}-limit`, text)]
    }),
  ) as AccountLimits
  return {
    mayPoll: given.polling ?? before.mayPoll,
    partCounts: given['part-counts'] ?? before.partCounts,
    reportKeys: given['report-keys'] === undefined ? before.reportKeys : readKeys(given['report-keys']),
    limits,
    lane: given.lane === undefined ? before.lane : readLane(given.lane),
    weight: given.weight === undefined ? before.weight : readWeight(given.weight),
    eraseAfterDays:
      given['erase-after'] === undefined ? before.eraseAfterDays : readEraseAfter(given['erase-after']),
  }
}

export function describeSettings(settings: AccountSettings): string {
  const { mayPoll, partCounts, reportKeys: keys, limits, lane, weight, eraseAfterDays: days } = settings
  const limit = (value: number | null): string =>
    value === null ? 'default' : value === 0 ? 'none' : `${value}/s`
  return [
    `polling ${mayPoll ? 'yes' : 'no'}`,
    `part counts ${partCounts ? 'yes' : 'no'}`,
    `report keys ${keys}`,
    `limits ${families.map((family) => `${family} ${limit(limits[family])}`).join(', ')}`,
    `lane ${lane ?? 'by kind'}`,
    `weight ${weight}`,
    `texts and recipients erased ${days === null ? 'with their day' : days === 0 ? 'at the close' : `${days} days after the close`}`,
  ].join('; ')
}

function readLimit(option: string, text: string): number | null {
  if (text === 'default') return null
  if (!/^\d{1,7}$/.test(text))
    throw new UsageError(`${option} wants requests a second, 0 for no limit, or the word default`)
  return Number(text)
}

function readLane(text: string): Lane | null {
  if (text === 'by-kind') return null
  const lane = lanes.find((candidate) => candidate === text)
  if (lane === undefined) throw new UsageError(`--lane wants ${lanes.join(', ')} or by-kind`)
  return lane
}

function readWeight(text: string): number {
  const weight = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (weight < 1 || weight > 100) throw new UsageError('--weight wants a whole number from 1 to 100')
  return weight
}

function readEraseAfter(text: string): number | null {
  if (text === 'kept') return null
  if (text === 'close') return 0
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > 366) {
    throw new UsageError('--erase-after wants close, a number of days from 1 to 366, or kept')
  }
  return days
}

function readKeys(text: string): ReportKeys {
  const keys = reportKeys.find((candidate) => candidate === text)
  if (keys === undefined) throw new UsageError(`--report-keys wants ${reportKeys.join(' or ')}`)
  return keys
}
