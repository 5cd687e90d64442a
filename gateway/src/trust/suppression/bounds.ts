/**
 * How much of suppression an account can fill. A full list refuses new entries of the client only: a recipient who is on it can
 * always be suppressed, and opt-outs that carriers report or operators enter are stored beyond the bounds. An entry takes 12 to 24 bytes in the memory of every process, see `choice-table.ts`. Tests set lower bounds.
 */
export interface ChoiceBounds {
  /** Recipients of one account who have agreed. */
  readonly agreed: number
  /** Recipients of one account who have opted out. */
  readonly suppressed: number
  /** Both, of all accounts together. Accounts below an equal share of it are not refused, so about twice as many can be stored. */
  readonly all: number
  /** An account with fewer entries than this is not refused because of `all`: others have filled it. */
  readonly reserved: number
  /** Choices of one account that its client takes back in a day: it bounds the history. */
  readonly removalsPerDay: number
  /** How often a recipient takes back its opt-out at a carrier in 24 hours, for an account: beyond it the recipient stays suppressed. */
  readonly optInsPerDay: number
}

export const choiceBounds: ChoiceBounds = {
  agreed: 1_000_000,
  suppressed: 2_000_000,
  all: 10_000_000,
  reserved: 10_000,
  removalsPerDay: 10_000,
  optInsPerDay: 10,
}
