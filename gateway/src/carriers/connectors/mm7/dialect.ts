/**
 * The dialects of MM7 as data: 3GPP TS 23.140 and the three Korean carriers. Names, versions and headers follow the carriers'
 * published samples; options cover what they leave open.
 */
import type { NumberFormat } from '../phone-number.ts'

export const dialectNames = ['3gpp', 'skt', 'kt', 'lgu'] as const
export type DialectName = (typeof dialectNames)[number]

export interface Dialect {
  /** Last part of the namespace, which identifies the release. */
  readonly release: string
  readonly version: string
  readonly charset: 'euc-kr' | 'utf-8'
  /** Content-ID of the envelope part, without angle brackets. */
  readonly startId: string
  readonly numbers: NumberFormat
  /** Number of digits of a TransactionID derived from our reference; 0 uses the reference itself. */
  readonly transactionIdDigits: number
  /** Whether the carrier refuses a TransactionID that it already accepted. */
  readonly repeatable: boolean
}

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  '3gpp': {
    release: 'REL-6-MM7-1-4',
    version: '6.8.0',
    charset: 'utf-8',
    startId: 'mm7-submit',
    numbers: 'e164',
    transactionIdDigits: 0,
    repeatable: false,
  },
  skt: {
    release: 'REL-5-MM7-1-0',
    version: '5.3.0',
    charset: 'euc-kr',
    startId: 'start_MM7_SOAP',
    numbers: 'domestic',
    // SKT's sample allows any number of five digits.
    transactionIdDigits: 5,
    repeatable: false,
  },
  kt: {
    release: 'REL-5-MM7-1-2',
    version: '1.0',
    charset: 'euc-kr',
    startId: '/tnn-200102/mm7-submit',
    numbers: 'domestic',
    transactionIdDigits: 0,
    repeatable: true,
  },
  lgu: {
    release: 'REL-5-MM7-1-2',
    version: '5.3.0',
    charset: 'euc-kr',
    startId: '/tnn-200102/mm7-submit',
    numbers: 'domestic',
    transactionIdDigits: 0,
    repeatable: false,
  },
}

export const buildNamespace = (release: string): string =>
  `http://www.3gpp.org/ftp/Specs/archive/23_series/23.140/schema/${release}`
