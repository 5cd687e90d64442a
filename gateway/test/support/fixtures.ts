/** Messages, receipts and accounts for tests, valid unless overridden. */
import { defaultSettings } from '../../src/identity/accounts/account.ts'
import { insertAccount, type NewAccount } from '../../src/identity/accounts/queries.ts'
import type { TextStep } from '../../src/channels/channel.ts'
import type { AttemptRow } from '../../src/records/attempts/attempts.ts'
import type { StepKey } from '../../src/jobs/step-key.ts'
import type { AcceptedJob, ReceiptJob, RouteJob, VerdictJob } from '../../src/jobs/jobs.ts'
import { recordMessages } from '../../src/records/messages/record.ts'
import type { Database, Queryable } from '../../src/platform/database/database.ts'
import { createMsgKey } from '../../src/contract/msg-key.ts'
import { readLedger } from '../../src/records/ledger/queries.ts'

export const recipient = '01012345678'
export const sender = '0234567890'
export const routeId = 'north'

export const smsStep: TextStep = { channel: 'sms', from: sender, text: 'Your code is 4711' }
/** A message of two parts. */
export const longStep: TextStep = { channel: 'international', from: sender, text: 'a'.repeat(200) }

export function acceptedJob(overrides: Partial<AcceptedJob> = {}): AcceptedJob {
  const acceptedAt = overrides.acceptedAt ?? Date.now()
  return {
    v: 1,
    msgKey: createMsgKey('00', new Date(acceptedAt)),
    accountId: 1,
    acceptedAt,
    to: recipient,
    steps: [smsStep],
    ...overrides,
  }
}

export function acceptedJobs(count: number, overrides: Partial<AcceptedJob> = {}): AcceptedJob[] {
  return Array.from({ length: count }, () => acceptedJob(overrides))
}

export const inAnHour = (): Date => new Date(Date.now() + 3_600_000)

/** Records messages as intake does; returns the keys of their first steps. */
export async function recordJobs(
  database: Database,
  jobs: readonly AcceptedJob[],
  dueAt: Date = inAnHour(),
): Promise<StepKey[]> {
  await recordMessages(database, jobs, () => dueAt)
  return jobs.map((job) => ({ msgKey: job.msgKey, step: 1, try: 1 }))
}

export async function recordOne(
  database: Database,
  overrides: Partial<AcceptedJob> = {},
  dueAt: Date = inAnHour(),
): Promise<StepKey> {
  const [key] = await recordJobs(database, [acceptedJob(overrides)], dueAt)
  return key!
}

export function routeJob(job: AcceptedJob, overrides: Partial<RouteJob> = {}): RouteJob {
  return {
    v: 1,
    msgKey: job.msgKey,
    accountId: job.accountId,
    step: 1,
    try: 1,
    to: job.to,
    content: job.steps[0]!,
    dueAt: Date.now() + 3_600_000,
    routeId,
    lane: 'normal',
    ...overrides,
  }
}

export function attempt(key: StepKey, overrides: Partial<AttemptRow> = {}): AttemptRow {
  return {
    ...key,
    part: 1,
    parts: 1,
    routeId,
    recipient,
    outcome: 'accepted',
    carrierId: `id-${key.msgKey.slice(19)}-${overrides.part ?? 1}`,
    code: null,
    cause: null,
    submittedAt: new Date(),
    ...overrides,
  }
}

/** Returns a receipt for the attempt, with the same id. */
export function receiptFor(row: AttemptRow, overrides: Partial<ReceiptJob> = {}): ReceiptJob {
  return receipt({ routeId: row.routeId, carrierId: row.carrierId, recipient: row.recipient, ...overrides })
}

export function receipt(overrides: Partial<ReceiptJob> = {}): ReceiptJob {
  return {
    v: 1,
    kind: 'receipt',
    routeId,
    carrierId: 'nobody-knows-this-id',
    result: 'delivered',
    cause: 'delivered',
    code: 'DELIVRD:000',
    recipient,
    at: Date.now(),
    receivedAt: Date.now(),
    ...overrides,
  }
}

export function verdict(key: StepKey, overrides: Partial<VerdictJob> = {}): VerdictJob {
  return {
    v: 1,
    kind: 'verdict',
    ...key,
    cause: 'bad-number',
    parts: 1,
    at: Date.now(),
    state: 'unclaimed',
    ...overrides,
  }
}

export function newAccount(clientId: string, overrides: Partial<NewAccount> = {}): NewAccount {
  return {
    clientId,
    name: 'A test account',
    passwordHash: 'no password fits',
    ...defaultSettings,
    ...overrides,
  }
}

export function createAccount(
  database: Queryable,
  clientId: string,
  overrides: Partial<NewAccount> = {},
): Promise<number> {
  return insertAccount(database, newAccount(clientId, overrides))
}

export async function setBlocked(database: Queryable, clientId: string, blocked: boolean): Promise<void> {
  await database.query('update accounts set blocked = $2, updated_at = now() where client_id = $1', [
    clientId,
    blocked,
  ])
}

/** Report codes of a message, in the order of its steps. */
export async function reportCodes(database: Queryable, msgKey: string): Promise<string[]> {
  const result = await database.query<{ code: string }>(
    'select report_code as code from reports where msg_key = $1 order by step',
    [msgKey],
  )
  return result.rows.map((row) => row.code)
}

export async function isInFlight(database: Queryable, msgKey: string): Promise<boolean> {
  const result = await database.query('select from in_flight where msg_key = $1', [msgKey])
  return result.rowCount === 1
}

/** Returns the account's ledger; `accepted = final + inFlight` if it balances. */
export async function readAccountLedger(
  database: Queryable,
  accountId: number,
): Promise<{ accepted: number; final: number; inFlight: number; gap: number }> {
  const row = (await readLedger(database)).find((candidate) => candidate.accountId === accountId)
  if (row === undefined) return { accepted: 0, final: 0, inFlight: 0, gap: 0 }
  const { accepted, final, inFlight, gap } = row
  return { accepted, final, inFlight, gap }
}
