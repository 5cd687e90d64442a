export const dialectNames = ['3gpp', 'skt', 'kt', 'lgu'] as const
export type DialectName = (typeof dialectNames)[number]

/** Reasons to refuse a submission. Each dialect maps them to a code and a text. */
export type Refusal =
  | 'mime'
  | 'xml'
  | 'operation'
  | 'version'
  | 'credentials'
  | 'recipient'
  | 'recipients'
  | 'content'
  | 'size'
  | 'origin'
  | 'duplicate'
  | 'throttled'
  | 'system'

/** Refusals of ported numbers. Dialects without a code for them accept the number. */
export type PortedRefusal = 'ported-to-skt' | 'ported-to-lgu'

/** Outcomes in delivery reports. */
export type ReportOutcome =
  | 'delivered'
  | 'no-subscriber'
  | 'expired'
  | 'spam'
  | 'phone-off'
  | 'blocked'
  | 'unknown'
  | 'no-mms'
  | 'ported-1'
  | 'ported-2'
  | 'at-skt'
  | 'origin'
  | 'deferred'

export type Mm7Code = readonly [code: string, text: string]

export interface Dialect {
  readonly path: string
  readonly charset: 'euc-kr' | 'utf-8'
  readonly namespace: string
  /** Namespace of reports and echoes. KT uses an older release than it accepts. */
  readonly reportNamespace: string
  readonly version: string
  /** Whether the elements below the operation are in the namespace as well. */
  readonly qualified: boolean
  /** Element below SenderIdentification; undefined if the dialect has none. */
  readonly partnerElement: string | undefined
  readonly callbackElement: string | undefined
  /** Found anywhere in SubmitReq: samples place it inside or next to SenderIdentification. */
  readonly originElement: string | undefined
  readonly oneRecipient: boolean
  readonly reportsByDefault: boolean
  /** Whether duplicate TransactionIDs are refused. */
  readonly uniqueTransactions: boolean
  readonly echo: boolean
  readonly refusals: Readonly<Record<Refusal, Mm7Code> & Partial<Record<PortedRefusal, Mm7Code>>>
  readonly reportCodes: Readonly<Record<ReportOutcome, Mm7Code>>
}
