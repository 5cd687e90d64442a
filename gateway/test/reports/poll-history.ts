/**
 * The history of one account's reports as clients see it, and the rules that it must satisfy. Pure: interleavings.ts
 * records it, this judges it.
 */
import assert from 'node:assert/strict'

export interface Handed {
  readonly reportId: string
  readonly refs: readonly string[]
  /** When the poll was asked for, by a clock that counts events. */
  readonly asked: number
}

export interface Acknowledged {
  readonly reportId: string
  /** When the acknowledgement was answered, by the same clock. */
  readonly answered: number
}

export interface History {
  /** Refs whose writer has committed. */
  readonly committed: Set<string>
  readonly handed: Handed[]
  /** Those that were answered with success, in the order in which they were. */
  readonly acknowledged: Acknowledged[]
}

export const emptyHistory = (): History => ({ committed: new Set(), handed: [], acknowledged: [] })

/** Once everything has been collected. `inOrder` are the account's refs by their numbers. */
export function judge(history: History, inOrder: readonly string[]): void {
  const { committed, handed, acknowledged } = history
  assert.deepEqual([...inOrder].sort(), [...committed].sort(), 'what was written is what was committed')
  const batches = new Map<string, readonly string[]>()
  for (const { reportId, refs } of handed) {
    const before = batches.get(reportId)
    if (before === undefined) batches.set(reportId, refs)
    else assert.deepEqual(refs, before, 'a batch is the same until it is deleted')
  }
  const collected = acknowledged.flatMap(({ reportId }) => batches.get(reportId) ?? [])
  assert.deepEqual(collected, inOrder, 'the batches deleted are all records, each once, in order')
  const seen = new Set(handed.flatMap(({ refs }) => refs))
  for (const ref of committed) assert.ok(seen.has(ref), 'every record is handed out')
  for (const { reportId, answered } of acknowledged) {
    for (const poll of handed) {
      assert.ok(poll.asked < answered || poll.reportId !== reportId, 'nothing after its acknowledgement')
    }
  }
}
