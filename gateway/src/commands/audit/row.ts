/** A row of the audit log as the commands print it, over either way. Pure. */
import type { AuditRow } from '../../audit/entry.ts'
import { table, timeText, type Result } from '../result.ts'

/** `details` is parsed. */
export type ShownRow = Omit<AuditRow, 'at' | 'details' | 'role' | 'result'> & {
  readonly at: Date | string
  readonly role: string
  readonly result: string
  readonly details: unknown
}

const titles = ['row', 'at', 'who', 'role', 'action', 'result', 'target', 'reason']

export function rowsResult(rows: readonly ShownRow[]): Result {
  return { json: { rows }, lines: table([titles, ...rows.map(cellsOf)]) }
}

function cellsOf({ seq, at, actor, role, action, result, target, reason }: ShownRow): string[] {
  return [String(seq), timeText(at).slice(0, 19), actor, role, action, result, target, reason]
}

export function rowResult(row: ShownRow): Result {
  const entries = Object.entries<unknown>({ ...row })
  return { json: row, lines: table(entries.map(([name, value]) => [name, shown(value)])) }
}

function shown(value: unknown): string {
  if (value === null) return '-'
  if (value instanceof Date) return timeText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

interface Verified {
  readonly rows: number
  readonly last: { readonly seq: number; readonly hash: string }
  readonly broken: string | null
}

export function verifiedResult({ rows, last, broken }: Verified): Result {
  return {
    json: { rows, last, broken },
    lines:
      broken === null
        ? [`${rows} rows, none changed, removed or moved; last row ${last.seq} ${last.hash}`]
        : [broken, 'Keep the database as it is, and compare it with a backup and an export.'],
    failed: broken !== null,
  }
}

export function checkpointResult(tail: Verified['last']): Result {
  return { json: tail, lines: [JSON.stringify(tail)] }
}
