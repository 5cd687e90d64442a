/**
 * Drops a parked job without losing its message: every message confirmed with A000 still gets exactly one
 * outcome, so that the ledger balances. A job whose message cannot be closed is not dropped.
 */
import type { Step } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import { maxLevels } from '../../jobs/read.ts'
import { ensureSealed, getSealed, addContent } from '../../jobs/sealed.ts'
import { recordMessages } from '../../records/messages/record.ts'
import { parseKeyDay, ensureDay } from '../../records/partitions.ts'
import { clock } from '../../platform/time/clock.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Database } from '../../platform/database/database.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { isDeeperThan } from '../../platform/json.ts'
import { failStep, publishVerdict } from '../../pipeline/scheduling/release.ts'
import { removeParked, type StoredParkedJob } from '../../records/parked/queries.ts'
import { asRecord, parseJob } from '../../records/parked/read.ts'
import { findParkedStep } from './step.ts'
import { safeText } from '../../platform/logging/log-error.ts'

export interface DropContext {
  readonly database: Database
  readonly publisher: GroupPublisher
  readonly topology: Topology
}

export type DropResult =
  | { readonly dropped: true; readonly effect: string }
  | { readonly dropped: false; readonly reason: string }

/**
 * Long enough for settle to receive the result first; if the result is lost, the deadline closes the message.
 */
const graceMs = 60_000

export async function dropParked(context: DropContext, row: StoredParkedJob): Promise<DropResult> {
  const result = await closeMessage(context, row)
  if (!result.dropped) return result
  return (await removeParked(context.database, row))
    ? result
    : { dropped: false, reason: 'it was parked again in the meantime; inspect it, then retry' }
}

function closeMessage(context: DropContext, row: StoredParkedJob): Promise<DropResult> {
  switch (row.stage) {
    case 'intake':
      return endUnrecorded(context, row)
    case 'dispatch':
      return endStep(context, row)
    case 'settle':
      return done('the receipt or result is discarded; its step, if still open, ends at its deadline')
    case 'opt-outs':
      return done('the opt-out or opt-in is not stored; add or remove the suppression manually')
    case 'unreadable':
      return done('it refers to no message, so no message is affected')
  }
}

/** Ends the step as failed, or as unknown if it is claimed; the flow continues as after any such end. */
async function endStep(context: DropContext, row: StoredParkedJob): Promise<DropResult> {
  const step = await findParkedStep(context.database, row)
  if (step === null) return done('its step had already ended')
  // The carrier may have accepted a claimed step, so the outcome is unknown, not failed.
  const isClaimed = step.state === 'claimed'
  const cause = isClaimed ? 'outcome-unknown' : 'failed'
  await publishVerdict(context, step.key, { cause, parts: 1, at: clock.now(), state: step.state })
  const effect = isClaimed ? 'the outcome of its step is unknown' : 'its step fails'
  return done(`${effect}, and the flow continues with the next step or ends`)
}

/**
 * Records a message that was never recorded, because nothing else would close it. Records it as failed: with
 * only its first step, so that no fallback starts, and without the characters that the database rejected.
 */
async function endUnrecorded(
  context: DropContext,
  { payload, msgKey }: StoredParkedJob,
): Promise<DropResult> {
  if (msgKey === null) return done('it has no msgKey, so it was never confirmed to a client')
  const candidate = parseJob(payload)
  await messageCipher.loadKeys([getSealed(candidate)])
  const stub = toStub(msgKey, asRecord(addReadableContent(candidate)))
  if (stub === null) {
    const reason = `${msgKey} has no account or no known channel, so it cannot be reported as failed; fix the cause and retry it`
    return { dropped: false, reason }
  }
  try {
    // A message older than the retention period no longer has a partition; it is recorded only to be closed.
    const day = parseKeyDay(msgKey)
    if (day !== undefined) await ensureDay(context.database, day)
    const { fresh } = await recordMessages(
      context.database,
      [await ensureSealed(stub)],
      () => new Date(clock.now() + graceMs),
    )
    if (!fresh.has(msgKey) && !(await isUntouched(context, msgKey)))
      return await done('its message was recorded in the meantime and is processed normally')
  } catch (error) {
    return { dropped: false, reason: `${msgKey} cannot be recorded even as failed: ${safeText(error)}` }
  }
  await failStep(context, { msgKey, step: 1, try: 1 }, 'failed')
  return done('its message is recorded and fails; the client gets a report')
}

/**
 * Reports whether an earlier drop may have recorded the message and was killed before publishing its result:
 * the flow has only the step of the stub, which is not claimed. An ordinary message of one step that waits
 * for its submission matches too, and fails as well unless it is claimed first.
 */
async function isUntouched({ database }: DropContext, msgKey: string): Promise<boolean> {
  const found = await database.query(
    `select from in_flight where msg_key = $1 and step = 1 and steps = 1 and state = 'unclaimed'`,
    [msgKey],
  )
  return found.rowCount === 1
}

/** Adds the decrypted content; returns the job unchanged if it cannot be decrypted. */
function addReadableContent(candidate: unknown): unknown {
  try {
    return addContent(candidate)
  } catch {
    return candidate
  }
}

function toStub(msgKey: string, job: Record<string, unknown>): AcceptedJob | null {
  const { accountId, acceptedAt, to, ref, paymentCode, steps } = job
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
    ...(typeof paymentCode === 'string' ? { paymentCode: toStorable(paymentCode) } : {}),
    // Nothing is submitted; a step nested deeper than `maxLevels` loses its content, because it may be too deep to be
    // serialized.
    steps: [isDeeperThan(first, maxLevels) ? ({ channel, content: {} } as Step) : (first as Step)],
  }
}

/** Replaces U+0000, which PostgreSQL text cannot contain, by U+FFFD. */
function toStorable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd')
}

function done(effect: string): Promise<DropResult> {
  return Promise.resolve({ dropped: true, effect })
}
