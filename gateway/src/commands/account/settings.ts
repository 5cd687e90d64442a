/** The settings of an account as options of `postern account create` and `postern account set`. Pure. */
import type { Option } from 'commander'
import { families, maxSystemId, reportKeys, uncertainFallbacks, type Family } from '../../accounts/account.ts'
import { usualLanes } from '../../channels/lane.ts'
import { UsageError } from '../errors.ts'
import { checked, oneOf, onOrOff, wholeNumber } from '../options.ts'

const limited: Readonly<Record<Family, string>> = {
  send: 'destinations',
  report: 'polls, acknowledgements and inquiries',
  file: 'uploads',
  form: 'requests about forms',
}

export function settingsOptions(): Option[] {
  return [
    ...onOrOff('polling', 'let the account poll its reports (the default)', 'refuse polling'),
    ...onOrOff(
      'part-counts',
      'add resCnt to its reports of international messages',
      'leave resCnt out (the default)',
    ),
    oneOf(
      '--report-keys <set>',
      "keys of a report; plain leaves out to, step, last, outcome, sendTime, resCnt and userType (a new account's: full)",
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
    wholeNumber(
      '--smpp-binds <n>',
      "binds over SMPP at a time, over all servers; 0: it may not use SMPP (a new account's: 0)",
      { min: 0, max: 100 },
    ),
    checked(
      '--smpp-system-id <id>',
      `what it binds with over SMPP, up to ${maxSystemId} letters, digits, dots, dashes or underscores; "client-id" is its client id (a new account's: client-id)`,
      readSystemId,
    ),
    ...onOrOff(
      'smpp-replies',
      'deliver what recipients write to its binds over SMPP',
      'leave them to polling, stream and webhooks (the default)',
    ),
  ]
}

function readSystemId(text: string, option: string): string {
  if (/^[A-Za-z0-9._-]+$/.test(text) && text.length <= maxSystemId) return text
  throw new UsageError(
    `${option} must be 1 to ${maxSystemId} letters, digits, dots, dashes or underscores, or client-id, not '${text}'`,
  )
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
