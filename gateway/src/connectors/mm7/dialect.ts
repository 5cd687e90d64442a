/**
 * The dialects of MM7 as data: 3GPP TS 23.140 and the three Korean carriers. Names, versions and headers are those of the
 * carriers' published samples; what they leave open is an option. Pure; read by everything in this folder.
 */
import type { NumberFormat } from '../phone-number.ts'

export const dialectNames = ['3gpp', 'skt', 'kt', 'lgu'] as const
export type DialectName = (typeof dialectNames)[number]

export interface Dialect {
  /** The last part of the namespace, which names the release. */
  readonly release: string
  readonly version: string
  readonly charset: 'euc-kr' | 'utf-8'
  /** Content-ID of the part with the envelope, without the angle brackets. */
  readonly startId: string
  readonly numbers: NumberFormat
  /** 0: TransactionID is our reference. Otherwise this many digits that are derived from it. */
  readonly transactionIdDigits: number
  /** The carrier refuses a TransactionID that it knows. */
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
    // Its sample says: any number of five digits.
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

export const namespaceOf = (release: string): string =>
  `http://www.3gpp.org/ftp/Specs/archive/23_series/23.140/schema/${release}`
