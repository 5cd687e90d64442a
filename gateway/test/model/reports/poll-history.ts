import assert from 'node:assert/strict'

export interface PolledBatch {
  readonly reportId: string
  readonly refs: readonly string[]
  /** Start of the poll on a clock that counts events. */
  readonly startedAt: number
}

export interface AcknowledgedBatch {
  readonly reportId: string
  /** Time of the response on the same clock. */
  readonly respondedAt: number
}

/** Reports of one account as seen by clients. */
export interface History {
  /** Refs whose writer has committed. */
  readonly committed: Set<string>
  readonly handed: PolledBatch[]
  /** Successful acknowledgements in order of their responses. */
  readonly acknowledged: AcknowledgedBatch[]
}

export const emptyHistory = (): History => ({ committed: new Set(), handed: [], acknowledged: [] })

/**
 * Checks a history after all reports were collected. `inOrder` has the refs of the account in order of their
 * numbers.
 */
export function checkHistory(history: History, inOrder: readonly string[]): void {
  const { committed, handed, acknowledged } = history
  assert.deepEqual([...inOrder].sort(), [...committed].sort(), 'the written records are the committed ones')
  const batches = new Map<string, readonly string[]>()
  for (const { reportId, refs } of handed) {
    const before = batches.get(reportId)
    if (before === undefined) batches.set(reportId, refs)
    else assert.deepEqual(refs, before, 'a batch is the same until it is acknowledged')
  }
  const collected = acknowledged.flatMap(({ reportId }) => batches.get(reportId) ?? [])
  assert.deepEqual(collected, inOrder, 'the acknowledged batches are all records, each once, in order')
  const polledRefs = new Set(handed.flatMap(({ refs }) => refs))
  for (const ref of committed) assert.ok(polledRefs.has(ref), 'every record is polled')
  for (const { reportId, respondedAt } of acknowledged) {
    for (const poll of handed) {
      assert.ok(
        poll.startedAt < respondedAt || poll.reportId !== reportId,
        'a batch is not returned after its acknowledgement',
      )
    }
  }
}
