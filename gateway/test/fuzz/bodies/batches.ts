/**
 * Runs cases in batches, many at once, and counts the results. A failing case is shrunk; the seed of its
 * batch and its position in the batch reproduce it.
 */
import fc from 'fast-check'
import { inParallel } from '../../support/parallel.ts'
import { bodyCase, sendNames, type BodyCase, type SendName } from './generate/cases.ts'
import { examineBody, type ExaminedResponse } from './examine.ts'
import type { RawClient } from './raw-client.ts'
import type { AcceptedQueues } from './accepted-queues.ts'

export const batchSize = 500
const shrinkWithinMs = 20_000

export interface FuzzTally {
  readonly bodies: Record<SendName, number>
  /** Bodies with at least one accepted message. */
  readonly accepted: Record<SendName, number>
  /** Valid bodies, and those that were accepted for at least one destination. */
  readonly valid: Record<SendName, number>
  readonly validAccepted: Record<SendName, number>
  readonly codes: Map<string, number>
  messages: number
  slowestMs: number
}

export interface Failure {
  readonly seed: number
  readonly at: number
  readonly findings: readonly string[]
  readonly smallest: BodyCase
}

export function createFuzzTally(): FuzzTally {
  const zeros = (): Record<SendName, number> =>
    Object.fromEntries(sendNames.map((name) => [name, 0])) as Record<SendName, number>
  return {
    bodies: zeros(),
    accepted: zeros(),
    valid: zeros(),
    validAccepted: zeros(),
    codes: new Map(),
    messages: 0,
    slowestMs: 0,
  }
}

/** Returns the failures of one batch by position. */
export async function runBatch(
  seed: number,
  count: number,
  context: { readonly client: RawClient; readonly queue: AcceptedQueues; readonly concurrency: number },
  tally: FuzzTally,
): Promise<Map<number, readonly string[]>> {
  const cases = fc.sample(bodyCase, { seed, numRuns: count })
  const failures = new Map<number, readonly string[]>()
  await inParallel(cases, context.concurrency, async (one, at) => {
    const examined = await examineBody(one, context.client, context.queue)
    countIn(tally, one, examined)
    if (examined.findings.length > 0) failures.set(at, examined.findings)
  })
  return failures
}

function countIn(
  tally: FuzzTally,
  { send, kind }: BodyCase,
  { code, accepted, milliseconds }: ExaminedResponse,
): void {
  tally.bodies[send]++
  if (accepted > 0) tally.accepted[send]++
  if (kind === 'valid') tally.valid[send]++
  if (kind === 'valid' && accepted > 0) tally.validAccepted[send]++
  tally.messages += accepted
  tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1)
  tally.slowestMs = Math.max(tally.slowestMs, milliseconds)
}

/** Runs one case again and shrinks it. Returns undefined if it does not fail again. */
export async function shrink(
  seed: number,
  at: number,
  client: RawClient,
  queue: AcceptedQueues,
): Promise<Failure | undefined> {
  let findings: readonly string[] = []
  const property = fc.asyncProperty(bodyCase, async (one) => {
    const examined = await examineBody(one, client, queue)
    if (examined.findings.length > 0) findings = examined.findings
    return examined.findings.length === 0
  })
  const details = await fc.check(property, {
    seed,
    path: String(at),
    numRuns: 1,
    // oxlint-disable-next-line typescript/no-deprecated -- the plugin that replaces it loses the type of the case
    interruptAfterTimeLimit: shrinkWithinMs,
  })
  const smallest = details.counterexample?.[0]
  return smallest === undefined ? undefined : { seed, at, findings, smallest }
}
