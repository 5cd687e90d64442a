/** Meanings of report codes and status words in each dialect, and the mobile carrier that they state. Options override codes. */
import type { Cause } from '../../../channels/cause.ts'
import type { MobileCarrier } from '../../../channels/mobile-carriers.ts'
import { spamCodes, findCode, type CodeTable } from './code-table.ts'
import type { DialectName } from './dialect.ts'
import type { Mm7Options, reportMeanings } from './options.ts'

export type ReportMeaning = (typeof reportMeanings)[number] | Cause

/** MMStatus of TS 23.140, in lower case. LGU+ sends `Retrieved` as well. */
const words: CodeTable<ReportMeaning> = {
  retrieved: 'delivered',
  forwarded: 'pending',
  deferred: 'pending',
  expired: 'timeout',
  rejected: 'refused',
  // Possibly delivered.
  indeterminate: 'outcome-unknown',
  unrecognised: 'unsupported',
  unreachable: 'phone-off',
}

const standardReport: CodeTable<ReportMeaning> = {
  2002: 'bad-number',
  2003: 'no-subscriber',
  2004: 'attachment',
  3000: 'temporary-failure',
  3002: 'refused',
}

export const mm7ReportCodes: Readonly<Record<DialectName, CodeTable<ReportMeaning>>> = {
  '3gpp': standardReport,
  skt: {
    2002: 'bad-number',
    2003: 'origin-code',
    2004: 'attachment',
    2101: 'attachment',
    2102: 'temporary-failure',
    2103: 'unsupported',
    2104: 'attachment',
    4005: 'temporary-failure',
    4006: 'temporary-failure',
    4007: 'refused',
    4008: 'temporary-failure',
    4101: 'temporary-failure',
  },
  kt: {
    2002: 'bad-number',
    2106: 'unregistered-sender',
    2107: 'bad-number',
    2110: 'unregistered-sender',
    2111: 'unregistered-sender',
    2163: 'duplicate',
    2200: 'origin-code',
    3000: 'temporary-failure',
    3400: 'temporary-failure',
    4105: 'unregistered-sender',
    4300: 'no-subscriber',
    4301: 'no-subscriber',
    4302: 'no-subscriber',
    4303: 'no-subscriber',
    4304: 'refused',
    4305: 'unsupported',
    4306: 'duplicate',
    4307: 'refused',
    ...spamCodes,
    5310: 'attachment',
    5320: 'buffer-full',
    5330: 'timeout',
    5403: 'phone-off',
    5409: 'refused',
    7400: 'temporary-failure',
    8310: 'attachment',
    8320: 'buffer-full',
    8330: 'timeout',
    8403: 'phone-off',
    8408: 'refused',
    // Undefined code: possibly delivered.
    9999: 'outcome-unknown',
  },
  lgu: {
    ...standardReport,
    // A service error that does not concern the message.
    4000: 'outcome-unknown',
    4032: 'origin-code',
    6012: 'no-subscriber',
    6014: 'refused',
    6072: 'unsupported',
    6102: 'no-subscriber',
    7103: 'temporary-failure',
  },
}

export function reportMeaning(options: Mm7Options, code: string): ReportMeaning {
  const given =
    findCode(options.reportCodes, code) ??
    findCode(words, code.toLowerCase()) ??
    findCode(mm7ReportCodes[options.dialect], code)
  if (given !== undefined) return given as ReportMeaning
  return /^1\d{3}$/.test(code) ? 'delivered' : 'failed'
}

/** Carriers of ported numbers by KT's codes. */
const ktPortedCarriers: CodeTable<MobileCarrier> = { 4302: '10001', 4303: '10003' }
/** Carriers by CalledNet of SKT. */
const networks: CodeTable<MobileCarrier> = {
  SKT: '10001',
  KT: '10002',
  KTF: '10002',
  LGT: '10003',
  LGU: '10003',
  'LGU+': '10003',
}

export function findReportCarrier(
  { dialect }: Mm7Options,
  code: string,
  calledNet: string | undefined,
): MobileCarrier | undefined {
  if (dialect === 'kt') return findCode(ktPortedCarriers, code)
  return calledNet === undefined ? undefined : findCode(networks, calledNet.toUpperCase())
}
