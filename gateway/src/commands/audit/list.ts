/** `postern audit list` and `postern audit show`. */
import type { AuditResult } from '../../audit/entry.ts'
import { listAudit, readAudit } from '../../audit/queries.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { rowResult, rowsResult, toShown } from './row.ts'

export interface ListOptions {
  readonly account?: string
  readonly actor?: string
  readonly action?: string
  readonly result?: AuditResult
  readonly since?: Date
  readonly before?: number
  readonly limit: number
}

export async function listRows(invocation: Invocation, options: ListOptions): Promise<Result> {
  const { account, actor: by, action, result, since, before, limit } = options
  const filter = { account, by, action, result, since, before, limit }
  const rows = await withDatabase(invocation, (database) => listAudit(database, filter))
  return rowsResult(rows.map(toShown))
}

export async function showRow(invocation: Invocation, seq: number): Promise<Result> {
  const row = await withDatabase(invocation, (database) => readAudit(database, seq))
  if (row === null)
    throw new FailedError(`there is no row ${seq}; \`postern audit list\` lists the last ones`)
  return rowResult(toShown(row))
}
