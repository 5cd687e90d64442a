/**
 * Turns the lines of a running batch into messages. The messages, their waiting rows, the ledger entry and the
 * position of the batch commit in one transaction, which holds the lock of the batch. If the transaction fails, or
 * the result of its commit is unknown, the stored position decides whether the lines are processed again, with new
 * keys. The owners of routes find the messages in the waiting table; none is published here.
 */
import type { Router } from '../../carriers/routes/router.ts'
import type { Draft } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { Problem } from '../../contract/problem.ts'
import type { AcceptedJob, StepJob } from '../../jobs/jobs.ts'
import { ensureSealed } from '../../jobs/sealed.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { clock } from '../../platform/time/clock.ts'
import {
  advanceBatch,
  cancelWaitingLines,
  countBacklog,
  deferBatch,
  readRemainingLines,
} from '../../records/batches/feeding.ts'
import { foldBatchOutcomes } from '../../records/batches/outcomes.ts'
import { endBatch } from '../../records/batches/transitions.ts'
import { readNextPage, type BatchPage, type BatchWork } from '../../records/batches/work.ts'
import { recordBatchMessages } from '../../records/messages/record.ts'
import { neverReleaseAt, type HeldStep } from '../../records/waiting/waiting-step.ts'
import type { DraftCounting } from '../../trust/abuse/draft-counting.ts'
import type { GetBlock } from '../../trust/blocked-accounts/blocked-accounts.ts'
import { createHold } from '../accept/check-steps.ts'
import { toHeldStep, toRouteRequest } from '../scheduling/place.ts'
import { quietHoursCode, readLines, type JudgeLines, type LineResult } from './judge.ts'
import { findBatchOpening, findNextDue, getMaxBacklog, limitSlice } from './pace.ts'
import { areRefusedByOldRules, staleRecheckMs } from './stale-refusals.ts'

export interface FeedContext {
  readonly judge: JudgeLines
  /** Returns the milliseconds since the rules were last compared with the database. */
  readonly rulesAgeMs: () => number
  readonly counting: Pick<DraftCounting, 'countDraft'>
  readonly router: Pick<Router, 'choose'>
  readonly getBlock: GetBlock
  readonly cell: string
  readonly timeZone: string
  /** Time limit of a step that sets none. */
  readonly stepTtlSeconds: number
}

const blockedRecheckMs = 5_000
const backlogRecheckMs = 250
const minOpenRecheckMs = 1_000
const clockRecheckMs = 5_000
const quietHoursRecheckMs = 60_000

/** The messages that were created. */
export interface FedMessages {
  readonly jobs: readonly AcceptedJob[]
  /** Undoes the counts of the messages for caps. Call it only if they are certainly not committed. */
  readonly uncount: () => void
}

/**
 * Creates the next messages of the batch, ends it, or sets the time at which it is due again. The transaction must have
 * locked the batch, and must commit without further work: the messages are counted for caps.
 */
export async function feedBatch(
  context: FeedContext,
  transaction: Queryable,
  batch: BatchWork,
  maxItems: number,
): Promise<FedMessages> {
  const { id, startAt, endBy, hoursFrom, speed } = batch
  const now = clock.now()
  const nothing: FedMessages = { jobs: [], uncount: () => undefined }
  const defer = async (ms: number): Promise<FedMessages> => {
    await deferBatch(transaction, id, ms)
    return nothing
  }

  if (context.getBlock(batch.accountId) !== undefined) return defer(blockedRecheckMs)
  const isTimed = startAt !== null || endBy !== null || hoursFrom !== null
  if (isTimed && !clock.agrees) return defer(clockRecheckMs)
  if (endBy !== null && clock.hasPassed(endBy)) await cancelWaitingLines(transaction, id)
  const { lines, dueAt, idleMs } = await readRemainingLines(transaction, id)
  // The last reports can take days, so a batch that waits for them is read at increasing intervals.
  if (lines === 0) {
    if (!(await endBatch(transaction, id))) return defer(Math.max(idleMs, minOpenRecheckMs))
    await foldBatchOutcomes(transaction, id)
    return nothing
  }
  const opening = findBatchOpening(batch, now, context.timeZone)
  if (opening > now) return defer(Math.min(opening, endBy?.getTime() ?? opening) - now)
  const maxBacklog = getMaxBacklog(speed)
  if ((await countBacklog(transaction, id, maxBacklog)) >= maxBacklog) return defer(backlogRecheckMs)

  const page = await readNextPage(transaction, batch)
  if (page === null) throw new Error(`the position of batch ${batch.batchKey} is behind its undecided lines`)
  const slice = await judgeSlice(context, batch, page, limitSlice(speed, maxItems, dueAt.getTime(), now))
  if (areRefusedByOldRules(slice.results, batch.since, context.rulesAgeMs())) return defer(staleRecheckMs)
  // Quiet hours stop the first of the lines, so none is created now.
  if (slice.end === page.msgKeys.length) return defer(quietHoursRecheckMs)
  const uncounts: (() => void)[] = []
  const uncount = (): void => uncounts.forEach((undo) => undo())
  try {
    return { jobs: await feedSlice(context, transaction, { batch, page, dueAt, slice, uncounts }), uncount }
  } catch (error) {
    uncount()
    throw error
  }
}

/** Lines of a page that are decided together. */
interface Slice {
  /** The indexes of lines without a result, and what became of them, in the same order. */
  readonly undecided: readonly number[]
  readonly results: readonly LineResult[]
  /** The index of the line after the slice. */
  readonly end: number
}

/** Judges the next lines of the page, up to the first that quiet hours keep from being sent now. */
async function judgeSlice(
  { judge }: FeedContext,
  batch: BatchWork,
  page: BatchPage,
  maxItems: number,
): Promise<Slice> {
  const { undecided, end } = findUndecided(page, maxItems)
  const lines = await readLines(batch, page)
  const results = await judge(
    batch,
    undecided.map((index) => lines[index]!),
  )
  const stopped = results.findIndex((result) => 'code' in result && result.code === quietHoursCode)
  if (stopped === -1) return { undecided, results, end }
  return {
    undecided: undecided.slice(0, stopped),
    results: results.slice(0, stopped),
    end: undecided[stopped]!,
  }
}

interface SliceWork {
  readonly batch: BatchWork
  readonly page: BatchPage
  readonly dueAt: Date
  readonly slice: Slice
  /** Receives the functions that undo the counts of drafts. */
  readonly uncounts: (() => void)[]
}

async function feedSlice(
  context: FeedContext,
  transaction: Queryable,
  { batch, page, dueAt, slice, uncounts }: SliceWork,
): Promise<readonly AcceptedJob[]> {
  const firstIndex = page.msgKeys.length
  const { undecided, results, end } = slice
  const counted = await Promise.allSettled(
    results.map((result) => countLine(context, batch.accountId, result, uncounts)),
  )
  const msgKeys = Array.from({ length: end - firstIndex }, () => '')
  const refused: Record<number, string> = {}
  const jobs: AcceptedJob[] = []
  for (const [n, line] of counted.entries()) {
    if (line.status === 'rejected') throw line.reason
    const index = undecided[n]!
    if ('code' in line.value) {
      refused[index] = line.value.code
      continue
    }
    const job = await toJob(context, batch, line.value.draft)
    jobs.push(job)
    msgKeys[index - firstIndex] = job.msgKey
  }
  await recordBatchMessages(
    transaction,
    batch.id,
    jobs,
    jobs.map((job) => holdFirstStep(context, batch.id, job)),
    (job) => new Date(findDeadline(context, job)),
  )
  const nextAt = new Date(findNextDue(batch.speed, jobs.length, dueAt.getTime(), clock.now()))
  await advanceBatch(transaction, batch.id, page, { msgKeys, refused, nextAt })
  return jobs
}

/** Returns the next lines of the page that need a decision, and the index of the line after them. */
function findUndecided(
  { msgKeys, lines, codes }: BatchPage,
  max: number,
): { readonly undecided: readonly number[]; readonly end: number } {
  const undecided: number[] = []
  let end = msgKeys.length
  for (; end < lines; end++) {
    if (codes[end] !== undefined) continue
    if (undecided.length === max) break
    undecided.push(end)
  }
  return { undecided, end }
}

/** Counts the draft for caps and limits. Throws if it cannot be counted now. */
async function countLine(
  { counting }: FeedContext,
  accountId: number,
  result: LineResult,
  uncounts: (() => void)[],
): Promise<LineResult> {
  if ('code' in result) return result
  const counted = await counting.countDraft(accountId, result.draft, createHold(result.draft))
  if (!(counted instanceof Problem)) {
    uncounts.push(counted)
    return result
  }
  if (counted.retryAfterSeconds !== undefined) throw counted
  return { code: counted.code }
}

function toJob({ cell }: FeedContext, { accountId }: BatchWork, draft: Draft): Promise<AcceptedJob> {
  const now = clock.now()
  return ensureSealed({
    ...draft,
    v: 1,
    msgKey: createMsgKey(cell, new Date(now)),
    accountId,
    acceptedAt: now,
  })
}

function findDeadline({ stepTtlSeconds }: FeedContext, { steps, acceptedAt }: AcceptedJob): number {
  return acceptedAt + (steps[0]!.ttlSeconds ?? stepTtlSeconds) * 1000
}

/**
 * Returns the wait of a first step: for an operator if a rule holds the message, for the outbox if no route serves it,
 * otherwise for the owner of its route, behind other messages of the account in the same lane.
 */
function holdFirstStep(context: FeedContext, batch: number, accepted: AcceptedJob): HeldStep {
  const { msgKey, accountId, to, steps, heldBy } = accepted
  const content = steps[0]!
  const dueAt = findDeadline(context, accepted)
  const job: StepJob = { v: 1, msgKey, accountId, step: 1, try: 1, to, content, dueAt, batch }
  const releaseAt = clock.date()
  const lane = 'bulk' as const
  const parts = channels[content.channel].parts(content, msgKey).length
  if (heldBy !== undefined) {
    const wait = { releaseAt: neverReleaseAt, resumeAt: releaseAt, reason: 'rule', rule: heldBy } as const
    return toHeldStep(job, { lane, parts, ...wait })
  }
  const choice = context.router.choose(toRouteRequest(job))
  if (choice === null) return toHeldStep(job, { lane, parts, releaseAt, reason: 'owed' })
  const route = { id: choice.route.id, reason: choice.reason }
  return toHeldStep(job, { lane, parts, route, releaseAt, reason: 'backlog' })
}
