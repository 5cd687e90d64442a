/** One line of a message's story: when, what, and the same in plain words. */
export type EventKind =
  | 'accepted'
  | 'held'
  | 'routed'
  | 'submitted'
  | 'receipt'
  | 'deadline'
  | 'ended'
  | 'fallback'
  | 'parked'
  | 'open'
  | 'closed'

export interface TimelineEvent {
  readonly at: Date
  readonly kind: EventKind
  readonly step: number | null
  readonly text: string
  /** The same as fields, for programs. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>
}

export interface TimelineOptions {
  /** Whole phone numbers instead of their last digits. */
  readonly reveal: boolean
  readonly now: Date
}
