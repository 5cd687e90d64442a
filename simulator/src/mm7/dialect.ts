/** What a dialect of MM7 is: names, codes and rules as data. */

export const dialectNames = ['3gpp', 'skt', 'kt', 'lgu'] as const
export type DialectName = (typeof dialectNames)[number]

/** Why a submission is refused. Each dialect has a code and a text for each. */
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

/** Only of carriers that say so: the others accept the number. */
export type Ported = 'ported-to-skt' | 'ported-to-lgu'

/** How a message ends, in its report. */
export type Ending =
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

export type Code = readonly [code: string, text: string]

export interface Dialect {
  readonly path: string
  readonly charset: 'euc-kr' | 'utf-8'
  readonly namespace: string
  /** KT reports and echoes under an older release than it accepts. */
  readonly reportNamespace: string
  readonly version: string
  /** Whether the elements below the operation are in the namespace, too. */
  readonly qualified: boolean
  /** Below SenderIdentification; undefined when the dialect has no such element. */
  readonly partnerElement: string | undefined
  readonly callbackElement: string | undefined
  /** Anywhere in SubmitReq: samples place it inside SenderIdentification as well as beside it. */
  readonly originElement: string | undefined
  readonly oneRecipient: boolean
  readonly reportsByDefault: boolean
  /** A TransactionID that was used before is refused. */
  readonly uniqueTransactions: boolean
  readonly echo: boolean
  readonly refusals: Readonly<Record<Refusal, Code> & Partial<Record<Ported, Code>>>
  readonly endings: Readonly<Record<Ending, Code>>
}
