/** Checks the lines of a batch as an omni send checks its destinations. */
import { setImmediate as yieldToEvents } from 'node:timers/promises'
import type { Draft } from '../../channels/channel.ts'
import { checkRef } from '../../channels/fields.ts'
import { Issues } from '../../channels/issues.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import { unpackContent, unpackLines, type BatchContent, type BatchLine } from '../../records/batches/lines.ts'
import type { BatchPage, BatchWork } from '../../records/batches/work.ts'
import type { CheckSteps, StepPath } from '../accept/check-steps.ts'
import { draftOne, planOmni, type OmniPlan } from '../accept/omni.ts'

/** The draft of the message, or why the line is refused. */
export type LineResult = { readonly draft: Draft } | { readonly code: ResultCode }

/** The result of an advertisement at night. It can be sent later, so its line is not refused. */
export const quietHoursCode: ResultCode = 'A341'

/**
 * Returns one result per line, in order. `sendAt` is the time for which quiet hours are checked; the default is now. Throws if a
 * check is not possible now, for example because PostgreSQL is unavailable.
 */
export type JudgeLines = (
  batch: BatchWork,
  lines: readonly BatchLine[],
  sendAt?: Date,
) => Promise<LineResult[]>

/** Lines after which other work of the process gets its turn. */
const linesPerTurn = 50

export interface JudgeContext {
  readonly checkSteps: CheckSteps
  readonly usesSmartEncoding: (accountId: number) => boolean
}

export function createJudge({ checkSteps, usesSmartEncoding }: JudgeContext): JudgeLines {
  async function judgeLine(accountId: number, plan: OmniPlan, line: BatchLine): Promise<LineResult> {
    const issues = new Issues('first', { smartEncoding: usesSmartEncoding(accountId) })
    const { ref = plan.shared.ref } = line
    checkRef(line.ref, issues)
    const draft = { ...draftOne(plan, line, 0, issues), ...(ref !== undefined && { ref }) }
    const stepPath: StepPath = (_step, index) => plan.entries[index]!.at
    if (issues.first === undefined) await checkSteps(accountId, draft, stepPath, issues)
    return issues.first === undefined ? { draft } : { code: issues.first.code }
  }

  return async (batch, lines, sendAt) => {
    const content = await unpackContent(batch.batchKey, batch)
    const plan = content === null ? null : planBatch(content, batch.ref, sendAt)
    // The flow was checked when the batch was created, so it fails only after its data key was destroyed.
    if (plan === null) return lines.map(() => ({ code: 'A999' }))
    const results: LineResult[] = []
    for (const [index, line] of lines.entries()) {
      if (index % linesPerTurn === linesPerTurn - 1) await yieldToEvents()
      results.push(await judgeLine(batch.accountId, plan, line))
    }
    return results
  }
}

/** Returns null if the flow is invalid. */
function planBatch(
  { messageFlow, paymentCode }: BatchContent,
  ref: string | null,
  sendAt?: Date,
): OmniPlan | null {
  const issues = new Issues('first')
  const request = {
    destinations: [],
    messageFlow,
    ...(paymentCode !== undefined && { paymentCode }),
    ...(ref !== null && { ref }),
  }
  const plan = planOmni(request, undefined, sendAt, issues)
  return issues.first === undefined ? plan : null
}

/** Reads the lines of a page. Lines whose recipients are erased have an empty recipient, which every check refuses. */
export async function readLines(
  batch: Pick<BatchWork, 'batchKey'>,
  page: BatchPage,
): Promise<readonly BatchLine[]> {
  const { part, page: nth } = page
  const lines = await unpackLines({ batchKey: batch.batchKey, part, page: nth }, page)
  return lines ?? Array.from({ length: page.lines }, () => ({ to: '' }))
}
