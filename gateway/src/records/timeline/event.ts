/** One event of a message's timeline. */
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
  /** The facts of the text as fields, for `--json` and for the client's view. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>
}

export interface TimelineOptions {
  /** Show whole phone numbers instead of their last digits. */
  readonly reveal: boolean
  readonly now: Date
}
