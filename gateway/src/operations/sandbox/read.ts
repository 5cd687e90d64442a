/**
 * Reads messages sent over the sandbox as the phone shows them. A message with an attempt over another route
 * belongs to a person: its number is masked, and neither its reference nor any content is returned. The
 * content of a step that was not submitted is not returned either.
 */
import { maskNumber } from '../../channels/numbers.ts'
import { parseShareRoute } from '../../jobs/route-share.ts'
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import type { Step } from '../../channels/channel.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import { sandboxAttemptSql } from './find.ts'
import { computeStepState, type SandboxAttempt, type SandboxStepState } from './step-state.ts'

export interface SandboxStep extends SandboxStepState {
  readonly step: number
  readonly channel: Step['channel']
  /** Route of the last attempt. */
  readonly route: string
  readonly submittedAt: Date
  /** Null if another route was used as well. */
  readonly content: Step | null
  readonly code: string | null
  readonly codeText: string | null
}

export interface SandboxMessage {
  readonly msgKey: string
  readonly accountId: number
  /** Client ID; null if the account no longer exists. */
  readonly account: string | null
  /** Masked unless only the sandbox was used. */
  readonly to: string
  readonly ref: string | null
  readonly acceptedAt: Date
  readonly open: boolean
  /** Whether a part, try or step used another route. */
  readonly isMixed: boolean
  /** Submitted steps, in order. */
  readonly steps: readonly SandboxStep[]
}

interface MessageRow extends SealedRow {
  readonly accountId: number
  readonly account: string | null
  readonly recipient: string
  readonly ref: string | null
  readonly acceptedAt: Date
  readonly flow: readonly Step[]
  readonly open: boolean
}

interface AttemptRow extends SandboxAttempt {
  readonly msgKey: string
  readonly step: number
  readonly routeId: string
  readonly ofSandbox: boolean
}

interface ReportRow {
  readonly msgKey: string
  readonly step: number
  readonly code: string
  readonly codeText: string
}

/**
 * Returns the messages in the order of `keys`, without those deleted in the meantime and those that never used the
 * sandbox.
 */
export async function readSandboxMessages(
  database: Database,
  routeIds: readonly string[],
  keys: readonly string[],
): Promise<SandboxMessage[]> {
  if (keys.length === 0) return []
  const { messages, attempts, reports } = await inTransaction(database, async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    return {
      messages: await readMessages(transaction, keys),
      attempts: await readAttempts(transaction, routeIds, keys),
      reports: await readReports(transaction, keys),
    }
  })
  const contents = await readContents(messages)
  return messages.flatMap(({ msgKey, recipient, ref, flow, ...row }) => {
    const { accountId, account, acceptedAt, open } = row
    const { to, steps } = contents.get(msgKey) ?? { to: recipient, steps: flow }
    const messageAttempts = attempts.filter((attempt) => attempt.msgKey === msgKey)
    if (!messageAttempts.some(({ ofSandbox }) => ofSandbox)) return []
    const isMixed = !messageAttempts.every(({ ofSandbox }) => ofSandbox)
    const ended = reports.filter((report) => report.msgKey === msgKey)
    return {
      msgKey,
      accountId,
      account,
      acceptedAt,
      open,
      isMixed,
      ...(isMixed ? { to: maskNumber(to), ref: null } : { to, ref }),
      steps: toSteps({ steps, attempts: messageAttempts, reports: ended, open, isMixed }),
    }
  })
}

function toSteps(rows: {
  readonly steps: readonly Step[]
  readonly attempts: readonly AttemptRow[]
  readonly reports: readonly ReportRow[]
  readonly open: boolean
  readonly isMixed: boolean
}): SandboxStep[] {
  const submitted = [...new Set(rows.attempts.map(({ step }) => step))].sort((left, right) => left - right)
  return submitted.map((step) => {
    const attempts = rows.attempts.filter((attempt) => attempt.step === step)
    const lastTry = Math.max(...attempts.map((attempt) => attempt.try))
    const parts = attempts.filter((attempt) => attempt.try === lastTry)
    const report = rows.reports.find((candidate) => candidate.step === step)
    const isOver = !rows.open || step < submitted.at(-1)!
    const content = rows.steps[step - 1]
    return {
      step,
      channel: content!.channel,
      route: parseShareRoute(parts[0]!.routeId),
      submittedAt: parts[0]!.submittedAt,
      content: rows.isMixed ? null : content!,
      ...computeStepState(parts, isOver),
      code: report?.code ?? null,
      codeText: report?.codeText ?? null,
    }
  })
}

async function readMessages(transaction: Queryable, keys: readonly string[]): Promise<MessageRow[]> {
  const { rows } = await transaction.query<MessageRow>(
    `select m.msg_key as "msgKey", m.account_id as "accountId", c.client_id as account, m.recipient, m.ref, m.accepted_at as "acceptedAt", m.flow, m.sealed,
            f.msg_key is not null as open
       from unnest($1::text[]) with ordinality as k (msg_key, nth)
       join messages m on m.msg_key = any (array[k.msg_key collate "C"])
       left join in_flight f on f.msg_key = any (array[m.msg_key])
       left join accounts c on c.id = m.account_id
      order by k.nth`,
    [keys],
  )
  return rows
}

async function readAttempts(
  transaction: Queryable,
  routeIds: readonly string[],
  keys: readonly string[],
): Promise<AttemptRow[]> {
  const { rows } = await transaction.query<AttemptRow>(
    `select a.msg_key as "msgKey", a.step, a.try, a.route_id as "routeId", a.outcome, a.result, a.cause,
            a.outcome_code as "outcomeCode", a.receipt_code as "receiptCode", a.submitted_at as "submittedAt",
            a.received_at as "receivedAt", coalesce(${sandboxAttemptSql}, false) as "ofSandbox"
       from attempts a where a.msg_key = any ($2) order by a.msg_key, a.step, a.try, a.part`,
    [routeIds, keys],
  )
  return rows
}

async function readReports(transaction: Queryable, keys: readonly string[]): Promise<ReportRow[]> {
  const { rows } = await transaction.query<ReportRow>(
    `select msg_key as "msgKey", step, report_code as code, report_text as "codeText" from reports where msg_key = any ($1)`,
    [keys],
  )
  return rows
}
