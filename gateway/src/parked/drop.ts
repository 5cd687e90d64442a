/**
 * Drops a parked job without losing its message: every message that was answered A000 still ends in exactly one outcome,
 * so that the ledger balances. A job whose message cannot be ended is not dropped.
 */
import type { Step } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import type { AcceptedJob } from '../jobs/jobs.ts'
import { maxLevels } from '../jobs/read.ts'
import { ensureSealed, sealedOf, withContent } from '../jobs/sealed.ts'
import { recordMessages } from '../records/messages/record.ts'
import { dayOfKey, ensureDay } from '../records/partitions.ts'
import { clock } from '../platform/clock.ts'
import type { GroupPublisher } from '../platform/broker/publish.ts'
import type { Topology } from '../jobs/queues.ts'
import type { Database } from '../platform/database.ts'
import { messageCipher } from '../platform/encryption/message-cipher.ts'
import { isDeeperThan } from '../platform/json.ts'
import { failStep, publishVerdict } from '../pipeline/scheduling/release.ts'
import { removeParked, type ParkedRow } from '../records/parked/queries.ts'
import { asRecord, parse } from '../records/parked/read.ts'
import { findStep } from './step.ts'
import { safeText } from '../platform/log-error.ts'

export interface DropContext {
  readonly database: Database
  readonly publisher: GroupPublisher
  readonly topology: Topology
}

export type DropResult =
  { readonly dropped: true; readonly effect: string } | { readonly dropped: false; readonly reason: string }

/** Long enough for settle to receive the verdict first; if the verdict is lost, the deadline ends the message. */
const graceMs = 60_000

export async function dropParked(context: DropContext, row: ParkedRow): Promise<DropResult> {
  const result = await endOf(context, row)
  if (!result.dropped) return result
  return (await removeParked(context.database, row))
    ? result
    : { dropped: false, reason: 'it was parked again meanwhile; inspect it and try again' }
}

function endOf(context: DropContext, row: ParkedRow): Promise<DropResult> {
  switch (row.stage) {
    case 'intake':
      return endUnrecorded(context, row)
    case 'dispatch':
      return endStep(context, row)
    case 'settle':
      return done('the receipt or verdict is discarded; its step, if it is still open, ends at its deadline')
    case 'opt-outs':
      return done('the choice of the recipient is not stored; add or remove the suppression by hand')
    case 'unreadable':
      return done('it names no message, so no message is affected')
  }
}

/** The step fails, and the flow continues as after any failure. */
async function endStep(context: DropContext, row: ParkedRow): Promise<DropResult> {
  const step = await findStep(context.database, row)
  if (step === null) return done('its step had already ended')
  // Claimed: the carrier may have accepted it, so the outcome is unknown, not failed.
  const cause = step.state === 'claimed' ? 'outcome-unknown' : 'failed'
  await publishVerdict(context, step.key, { cause, parts: 1, at: clock.now(), state: step.state })
  return done('its step fails, and the flow continues with the next step or ends')
}

/**
 * The message was never recorded, so nothing else would end it. It is recorded without the characters that the database
 * rejected and with its first step only, so that nothing is submitted, and fails at once.
 */
async function endUnrecorded(context: DropContext, { payload, msgKey }: ParkedRow): Promise<DropResult> {
  if (msgKey === null) return done('it has no msgKey, so no client has received one for it')
  const candidate = parse(payload)
  await messageCipher.loadKeys([sealedOf(candidate)])
  const stub = toStub(msgKey, asRecord(readable(candidate)))
  if (stub === null) {
    const reason = `${msgKey} names no account or no known channel, so it cannot be reported as failed; fix the cause and retry it`
    return { dropped: false, reason }
  }
  try {
    // A message that waited longer than the retention has no partition any more; it is recorded only to end.
    const day = dayOfKey(msgKey)
    if (day !== undefined) await ensureDay(context.database, day)
    const { fresh } = await recordMessages(
      context.database,
      [await ensureSealed(stub)],
      () => new Date(clock.now() + graceMs),
    )
    if (!fresh.has(msgKey) && !(await isUntouched(context, msgKey)))
      return await done('its message was recorded meanwhile and is processed normally')
  } catch (error) {
    return {
      dropped: false,
      reason: `${msgKey} cannot be recorded even as failed: ${safeText(error)}`,
    }
  }
  await failStep(context, { msgKey, step: 1, try: 1 }, 'failed')
  return done('its message is recorded and fails; the client gets a report')
}

/** True when an earlier drop recorded it and was killed before its verdict: the flow has only the stub's step. */
async function isUntouched({ database }: DropContext, msgKey: string): Promise<boolean> {
  const found = await database.query(
    `select from in_flight where msg_key = $1 and step = 1 and steps = 1 and state = 'unclaimed'`,
    [msgKey],
  )
  return found.rowCount === 1
}

/** Without its content when that is encrypted and cannot be read any more. */
function readable(candidate: unknown): unknown {
  try {
    return withContent(candidate)
  } catch {
    return candidate
  }
}

function toStub(msgKey: string, job: Record<string, unknown>): AcceptedJob | null {
  const { accountId, acceptedAt, to, ref, steps } = job
  const first: unknown = Array.isArray(steps) ? steps[0] : undefined
  const { channel } = asRecord(first)
  if (typeof accountId !== 'number' || typeof channel !== 'string' || !Object.hasOwn(channels, channel))
    return null
  return {
    v: 1,
    msgKey,
    accountId,
    acceptedAt: typeof acceptedAt === 'number' ? acceptedAt : clock.now(),
    to: typeof to === 'string' ? toStorable(to) : '',
    ...(typeof ref === 'string' ? { ref: toStorable(ref) } : {}),
    // Nothing of it is submitted; content that cannot be written again is left out.
    steps: [isDeeperThan(first, maxLevels) ? ({ channel, content: {} } as Step) : (first as Step)],
  }
}

/** PostgreSQL text cannot contain U+0000. */
function toStorable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd')
}

function done(effect: string): Promise<DropResult> {
  return Promise.resolve({ dropped: true, effect })
}
