/** A row of the audit log, in the written and the read form. */
import type { AuditContext } from './context.ts'

/**
 * `looked` marks an access to personal data. Work that does not fit into one transaction has two rows with
 * the same request id: `begun`, and `done` or `failed`; without the second one the work is in progress or was killed.
 */
export const auditResults = ['done', 'begun', 'failed', 'refused', 'looked'] as const
export type AuditResult = (typeof auditResults)[number]

export interface AuditEntry {
  /** The recorded action, such as `account block`. */
  readonly action: string
  readonly result: AuditResult
  /** The id of the changed object, never a whole phone number. */
  readonly target: string
  /** The client id, if the action concerns an account. */
  readonly account?: string | null
  /** The changes, without secrets and whole phone numbers. */
  readonly details?: Readonly<Record<string, unknown>>
}

export interface AuditRow {
  readonly seq: number
  readonly at: Date
  readonly actor: string
  readonly role: AuditContext['role']
  readonly keyId: string | null
  readonly source: string
  readonly requestId: string
  readonly action: string
  readonly result: AuditResult
  readonly target: string
  readonly account: string | null
  readonly reason: string
  /** JSON in the form in which it was written. */
  readonly details: string
  /** The database user that wrote the row, set by the database. */
  readonly databaseUser: string
  /** In hexadecimal digits. */
  readonly previousHash: string
  readonly hash: string
}
