/**
 * The hash chain of the audit log: a row's hash covers all of its fields and the hash of the previous row.
 * The database computes it when a row is added (migrations, function audit_text); this code computes the same
 * from rows or from an export.
 */
import { createHash } from 'node:crypto'
import type { AuditRow } from './entry.ts'
import type { Checkpoint } from './queries.ts'

/** The checkpoint before the first row. */
export const chainStart: Checkpoint = { seq: 0, hash: '0'.repeat(64) }

/**
 * Encodes each field as its length in bytes, a colon and its text, or - for null, so that no two rows have
 * the same encoding.
 */
export function encodeRow(row: Omit<AuditRow, 'hash'>): string {
  const fields = [
    ...['postern-audit-1', String(row.seq), row.at.toISOString(), row.actor, row.role, row.keyId],
    ...[row.source, row.requestId, row.action, row.result, row.target, row.account, row.reason],
    ...[row.details, row.previousHash, row.databaseUser],
  ]
  return fields.map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`)).join(',')
}

export function hashRow(row: Omit<AuditRow, 'hash'>): string {
  return createHash('sha256').update(encodeRow(row)).digest('hex')
}

/** Follows the chain row by row and keeps the first break. */
export class ChainVerifier {
  #last: Checkpoint
  readonly #checkpoints: ReadonlyMap<number, string>
  #broken: string | null = null

  /** `from` is the last row that is known to be correct, for a log that is read in parts. */
  constructor(checkpoints: readonly Checkpoint[] = [], from: Checkpoint = chainStart) {
    this.#last = from
    this.#checkpoints = new Map(checkpoints.map(({ seq, hash }) => [seq, hash]))
  }

  get last(): Checkpoint {
    return this.#last
  }

  /** The first problem with the number of its row, or null if there is none. */
  get broken(): string | null {
    return this.#broken
  }

  add(row: AuditRow): void {
    this.#broken ??= this.#findFault(row)
    this.#last = { seq: row.seq, hash: row.hash }
  }

  /** Finishes the verification after the last row. `tail` is the last row according to the database. */
  end(tail?: Checkpoint): string | null {
    const missingSeq = [...this.#checkpoints.keys()].find((seq) => seq > this.#last.seq)
    if (missingSeq !== undefined)
      this.#broken ??= `the log ends at row ${this.#last.seq}, but a checkpoint has row ${missingSeq}: rows were removed at the end`
    if (tail !== undefined && (tail.seq !== this.#last.seq || tail.hash !== this.#last.hash))
      this.#broken ??= `the log ends at row ${this.#last.seq}, but its tail is ${tail.seq}: rows were removed or added without the trigger`
    return this.#broken
  }

  #findFault(row: AuditRow): string | null {
    const expected = this.#last.seq + 1
    if (row.seq !== expected)
      return row.seq > expected
        ? `row ${expected} is missing; the next one is ${row.seq}`
        : `row ${row.seq} follows row ${this.#last.seq}: rows were moved`
    if (row.previousHash !== this.#last.hash)
      return `row ${row.seq} does not follow row ${this.#last.seq}: one of them was replaced`
    if (hashRow(row) !== row.hash) return `row ${row.seq} was changed: its hash does not match its content`
    const checkpoint = this.#checkpoints.get(row.seq)
    if (checkpoint !== undefined && checkpoint !== row.hash)
      return `row ${row.seq} differs from its checkpoint: the log was rewritten`
    return null
  }
}
