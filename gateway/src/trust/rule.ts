/** What is known of a rule: `rules.ts` lists them, docs/trust.md is generated from the list. */
import type { Cause } from '../channels/cause.ts'
import type { ResultCode } from '../contract/result-codes.ts'

/**
 * `registration`: when an operator registers a sender. `start`: the process does not start without it. `storage`: wherever
 * it is written. `command`: when an operator runs a command. `authentication`: when a client logs in or makes a request.
 * `connection`: when a link is opened.
 */
export type Place =
  | 'accept'
  | 'submission'
  | 'routing'
  | 'registration'
  | 'start'
  | 'storage'
  | 'command'
  | 'authentication'
  | 'connection'

/** Where a rule comes from. */
export interface Source {
  readonly text: string
  /** When it was in force or published: a year, a month or a day. */
  readonly date: string
}

export interface EnforcedRule {
  /** In words, for the command line, logs and attempts. */
  readonly id: string
  /** What it demands, one sentence. */
  readonly demands: string
  readonly source: Source
  /** Undefined: always on. */
  readonly on?: {
    /** In an installation that had no account when the rule came. */
    readonly newInstallation: boolean
    /** In one that was in use: on only for what was refused before, so that an upgrade refuses nothing. */
    readonly upgraded: boolean
  }
  /** It holds only where the operator has set what it needs: a setting, or a limit of a credential. */
  readonly isOffUnlessSet?: true
  /** Environment variables that change what it demands. */
  readonly settings?: readonly string[]
  readonly enforcedAt: readonly Place[]
  /** What a client is answered. */
  readonly code?: ResultCode
  /** Why a step ends that was accepted before; `channels/report-codes.ts` has the report code of each channel. */
  readonly cause?: Cause
  /** The file of the repository that shows it, or several that show it together. */
  readonly test: string | readonly string[]
}

/** A rule that the gateway does not enforce. */
export interface OmittedRule {
  readonly id: string
  readonly demands: string
  readonly source: Source
  /** Why not, and what the operator does instead. */
  readonly omitted: string
}
