/**
 * Stops the submission of messages of paused and cancelled batches. The batches in memory follow a change within two
 * seconds.
 */
import type { Queryable } from '../../platform/database/database.ts'
import type { RuleDecision, RuleGroup } from '../rule-group.ts'

export type StoppedState = 'paused' | 'cancelled'

/** Maps the ids of paused and cancelled batches that have open messages to their states. */
export type StoppedBatchTable = ReadonlyMap<number, StoppedState>

export interface StoppedBatches extends RuleGroup {
  readonly list: () => StoppedBatchTable
}

/** Milliseconds after which a held step is checked again; resuming or cancelling its batch releases it earlier. */
const recheckDelayMs = 300_000

const cancelled: RuleDecision = {
  verdict: 'fail',
  rule: 'batch-cancelled',
  cause: 'cancelled',
  text: 'the batch is cancelled',
}

export function createStoppedBatches(initial: StoppedBatchTable = new Map()): StoppedBatches {
  let stopped = initial
  return {
    name: 'batches',
    async load(database) {
      stopped = await loadStoppedBatches(database)
    },
    checkSubmission({ now }, { batch }) {
      const state = batch === undefined ? undefined : stopped.get(batch)
      if (state === undefined) return null
      return state === 'cancelled'
        ? cancelled
        : { verdict: 'hold', rule: 'batch-paused', until: now + recheckDelayMs }
    },
    list: () => stopped,
  }
}

/**
 * A stopped batch gets no further messages, so one without open messages needs no entry. Reads the batches with open
 * messages, one probe each, because many more that were stopped are kept.
 */
async function loadStoppedBatches(database: Queryable): Promise<StoppedBatchTable> {
  const { rows } = await database.query<{ id: number; state: StoppedState }>({
    name: 'load-stopped-batches',
    text: `with recursive open as (
             (select batch_id from in_flight where batch_id is not null order by batch_id limit 1)
             union all
             select (select f.batch_id from in_flight f where f.batch_id > o.batch_id order by f.batch_id limit 1)
               from open o where o.batch_id is not null)
           select b.id, b.state from open o join batches b on b.id = o.batch_id
            where b.state in ('paused', 'cancelled')`,
  })
  return new Map(rows.map(({ id, state }) => [id, state]))
}
