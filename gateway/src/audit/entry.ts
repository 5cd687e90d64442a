/** A row of the audit log, as it is written and as it is read. */
import type { Act } from './act.ts'

/**
 * `looked`: personal data was shown. What cannot be done in one transaction has two rows with one request id: `begun`, and
 * `done` or `failed`; without the second one the command was killed.
 */
export const auditResults = ['done', 'begun', 'failed', 'refused', 'looked'] as const
export type AuditResult = (typeof auditResults)[number]

export interface AuditEntry {
  /** What was done, such as `account block`. */
  readonly action: string
  readonly result: AuditResult
  /** What it was done to: an id, never a whole phone number. */
  readonly target: string
  /** The client id, where it concerns an account. */
  readonly account?: string | null
  /** What changed, without secrets and whole phone numbers. */
  readonly details?: Readonly<Record<string, unknown>>
}

export interface AuditRow {
  readonly seq: number
  readonly at: Date
  readonly actor: string
  readonly role: Act['role']
  readonly keyId: string | null
  readonly source: string
  readonly requestId: string
  readonly action: string
  readonly result: AuditResult
  readonly target: string
  readonly account: string | null
  readonly reason: string
  /** JSON, as it was written. */
  readonly details: string
  /** The database user that wrote the row, set by the database. */
  readonly databaseUser: string
  /** In hexadecimal digits. */
  readonly previousHash: string
  readonly hash: string
}
