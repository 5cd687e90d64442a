/** A row of the audit log as the commands print it. */
import type { AuditRow } from '../../audit/entry.ts'

export function rowJson(row: AuditRow): object {
  return { ...row, details: JSON.parse(row.details) as unknown }
}

export const rowTitles = ['row', 'at', 'who', 'role', 'action', 'result', 'target', 'reason']

export function rowCells({ seq, at, actor, role, action, result, target, reason }: AuditRow): string[] {
  return [String(seq), at.toISOString().slice(0, 19), actor, role, action, result, target, reason]
}
