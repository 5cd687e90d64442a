/** The filters of the audit log, which live in the address. */
export const auditResults = ['done', 'begun', 'failed', 'refused', 'looked'] as const

/** As the API takes them; times in ISO 8601. */
export interface AuditSearch {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly account?: string | undefined
  readonly result?: (typeof auditResults)[number] | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly requestId?: string | undefined
}
