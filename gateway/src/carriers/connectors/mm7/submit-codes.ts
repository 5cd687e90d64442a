/**
 * Meanings of response codes to submissions in each dialect. A status other than success, `unknown` and `duplicate` means that
 * the message was not accepted. An error of the login or of the service is a problem of the route, which can be retried.
 * Options override single codes.
 */
import type { Cause } from '../../../channels/cause.ts'
import { spamCodes, findCode, type CodeTable } from './code-table.ts'
import type { DialectName } from './dialect.ts'
import type { Mm7Options, submitMeanings } from './options.ts'

/** A cause means refused. So does `duplicate`, except with `repeatable`. */
export type SubmitMeaning = (typeof submitMeanings)[number] | Cause

/** Codes of TS 23.140. LGU+ uses them as well, with exceptions. */
const standardSubmit: CodeTable<SubmitMeaning> = {
  2001: 'refused',
  2002: 'bad-number',
  2003: 'no-subscriber',
  2004: 'attachment',
  3001: 'failed',
  3002: 'refused',
  3003: 'failed',
  4004: 'failed',
  4006: 'throttled',
}

export const submitCodes: Readonly<Record<DialectName, CodeTable<SubmitMeaning>>> = {
  '3gpp': standardSubmit,
  skt: {
    2002: 'unreachable',
    2003: 'origin-code',
    2004: 'attachment',
    2101: 'attachment',
    2102: 'unreachable',
    2103: 'unsupported',
    2104: 'attachment',
    4008: 'throttled',
  },
  kt: {
    2002: 'bad-number',
    2106: 'unregistered-sender',
    2107: 'bad-number',
    2108: 'unreachable',
    2109: 'unreachable',
    2110: 'unregistered-sender',
    2111: 'unregistered-sender',
    2160: 'attachment',
    2161: 'attachment',
    2162: 'attachment',
    2163: 'duplicate',
    2200: 'origin-code',
    4105: 'unregistered-sender',
    4201: 'failed',
    4202: 'throttled',
    // The data limit of the moment, not of the message. Not `throttled`, so that it does not pause the route if a carrier means
    // the message.
    4203: 'unreachable',
    4300: 'no-subscriber',
    4301: 'no-subscriber',
    4302: 'no-subscriber',
    4303: 'no-subscriber',
    4304: 'refused',
    4305: 'unsupported',
    // Not `duplicate`, which means accepted with `repeatable`.
    4306: 'refused',
    4307: 'refused',
    ...spamCodes,
    9999: 'unknown',
  },
  lgu: {
    ...standardSubmit,
    4006: 'unreachable',
    4032: 'origin-code',
    6012: 'no-subscriber',
    6014: 'refused',
    6024: 'unreachable',
    6025: 'unreachable',
    6072: 'unsupported',
    6102: 'no-subscriber',
    7103: 'throttled',
  },
}

export function submitMeaning(options: Mm7Options, code: string): SubmitMeaning {
  const given = findCode(options.submitCodes, code) ?? findCode(submitCodes[options.dialect], code)
  if (given !== undefined) return given as SubmitMeaning
  if (/^1\d{3}$/.test(code)) return 'accepted'
  return /^[34]\d{3}$/.test(code) ? 'unreachable' : 'failed'
}
