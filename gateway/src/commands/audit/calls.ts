/** The commands of the audit log over the admin API. */
import type { AdminClient } from '../client/client.ts'
import { FailedError } from '../errors.ts'
import type { Result } from '../result.ts'
import { checkpointResult, rowResult, rowsResult, verifiedResult } from './row.ts'
import type { AuditResult } from '../../audit/entry.ts'

export interface VerifyOptions {
  readonly checkpoint?: string
}

export interface ListOptions {
  readonly account?: string
  readonly actor?: string
  readonly action?: string
  readonly result?: AuditResult
  readonly since?: Date
  readonly before?: number
  readonly limit: number
}

export async function listRows(admin: AdminClient, options: ListOptions): Promise<Result> {
  const { account, actor, action, result, since, before, limit } = options
  const filter = { account, actor, action, result, since: since?.toISOString(), before }
  const rows = await admin.readAll(
    (page) => admin.call('listAudit', { query: { ...filter, ...page } }),
    limit,
  )
  return rowsResult(rows)
}

export async function showRow(admin: AdminClient, seq: number): Promise<Result> {
  return rowResult(await admin.call('showAudit', { params: { id: seq } }))
}

/** Checkpoints protect from whoever controls the gateway, so its own answer about them would prove nothing. */
export async function verifyLog(admin: AdminClient, { checkpoint }: VerifyOptions): Promise<Result> {
  if (checkpoint !== undefined)
    throw new FailedError(
      '--checkpoint is compared with the rows themselves: run the command where POSTERN_DATABASE_URL is set, without --profile',
    )
  return verifiedResult(await admin.call('verifyAudit', { query: { all: true } }))
}

export async function printCheckpoint(admin: AdminClient): Promise<Result> {
  const { last } = await admin.call('verifyAudit', {})
  return checkpointResult(last)
}
