/** A parked job as the commands print it; its payload only on request. */
import type { ParkedRow } from '../../records/parked/queries.ts'

export function jobJson({ id, stage, msgKey, reason, times, parkedAt }: ParkedRow) {
  return { id, parkedAt, stage, msgKey, reason, times }
}

export function jobLine({ id, stage, msgKey, reason, times, parkedAt }: ParkedRow): string {
  const repeated = times === 1 ? '' : ` (${times} times)`
  return `${String(id).padStart(6)}  ${parkedAt.toISOString()}  ${stage.padEnd(10)}  ${msgKey ?? '-'}  ${reason ?? `see the log of ${stage}`}${repeated}`
}
