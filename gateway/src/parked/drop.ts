/**
 * Gives a parked job up, and never its message: whatever the client was told A000 for still ends in exactly one
 * outcome, so that the ledger stays whole. What cannot be ended is refused and stays.
 */
import type { Step } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import type { AcceptedJob } from '../jobs/jobs.ts'
import { recordMessages } from '../records/messages/record.ts'
import type { GroupPublisher } from '../platform/broker/publish.ts'
import type { Topology } from '../jobs/queues.ts'
import type { Database } from '../platform/database.ts'
import { failStep } from '../pipeline/scheduling/release.ts'
import { removeParked, type ParkedRow } from './queries.ts'
import { asRecord, parse } from './read.ts'
import { findStep } from './step.ts'

export interface DropContext {
  readonly database: Database
  readonly publisher: GroupPublisher
  readonly topology: Topology
}

export type DropResult =
  { readonly dropped: true; readonly effect: string } | { readonly dropped: false; readonly why: string }

/** Long enough for settle to hear the verdict first; should it never come, the deadline ends the message. */
const graceMs = 60_000

export async function dropParked(context: DropContext, row: ParkedRow): Promise<DropResult> {
  const fate = await endOf(context, row)
  if (!fate.dropped) return fate
  return (await removeParked(context.database, row))
    ? fate
    : { dropped: false, why: 'it was parked again meanwhile; look at it once more' }
}

function endOf(context: DropContext, row: ParkedRow): Promise<DropResult> {
  switch (row.stage) {
    case 'intake':
      return endUnrecorded(context, row)
    case 'dispatch':
      return endStep(context, row)
    case 'settle':
      return done('a receipt or verdict is given up; its step, if it still runs, ends at its deadline')
    case 'unreadable':
      return done('it named no message, so no message ends by it')
  }
}

/** The step fails, and its flow goes on or ends as after any failure. */
async function endStep(context: DropContext, row: ParkedRow): Promise<DropResult> {
  const step = await findStep(context.database, row)
  if (step === null) return done('its step had ended already')
  // Claimed: its carrier may have it, and we do not say that it has not.
  await failStep(context, step.key, step.state === 'submitting' ? 'outcome-unknown' : 'failed')
  return done('its step fails, and the flow goes on to the next step or ends')
}

/**
 * Never recorded, so nothing would ever end it: it is recorded without what the database refused, first step only
 * so that nothing of it is ever submitted, and fails at once.
 */
async function endUnrecorded(context: DropContext, { payload, msgKey }: ParkedRow): Promise<DropResult> {
  if (msgKey === null) return done('it has no msgKey, so no client was ever told of it')
  const stub = toStub(msgKey, asRecord(parse(payload)))
  if (stub === null) {
    const why = `${msgKey} names no account or no known channel, so it cannot be reported as failed; correct the cause and retry it`
    return { dropped: false, why }
  }
  try {
    const { fresh } = await recordMessages(context.database, [stub], () => new Date(Date.now() + graceMs))
    if (!fresh.has(msgKey) && !(await isUntouched(context, msgKey)))
      return await done('it was recorded meanwhile and goes its way')
  } catch (error) {
    return { dropped: false, why: `${msgKey} cannot be recorded even as failed: ${(error as Error).message}` }
  }
  await failStep(context, { msgKey, step: 1, try: 1 }, 'failed')
  return done('its message is recorded and fails; the client is told so')
}

/** Recorded by an earlier drop that died before its verdict: the flow has nothing but the stub's step. */
async function isUntouched({ database }: DropContext, msgKey: string): Promise<boolean> {
  const found = await database.query(
    `select from in_flight where msg_key = $1 and step = 1 and steps = 1 and state = 'released'`,
    [msgKey],
  )
  return found.rowCount === 1
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
    acceptedAt: typeof acceptedAt === 'number' ? acceptedAt : Date.now(),
    to: typeof to === 'string' ? holdable(to) : '',
    ...(typeof ref === 'string' ? { ref: holdable(ref) } : {}),
    steps: [first as Step],
  }
}

/** PostgreSQL holds every character but this one. */
function holdable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd')
}

function done(effect: string): Promise<DropResult> {
  return Promise.resolve({ dropped: true, effect })
}
