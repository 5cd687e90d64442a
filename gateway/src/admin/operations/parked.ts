/** Parked jobs: list, show, retry, drop. */
import { Type } from 'typebox'
import { dropJob, requireParked, retryJobs } from '../../acts/parked.ts'
import { listParked, type ParkedRow } from '../../records/parked/queries.ts'
import { keysOf } from '../../records/parked/read.ts'
import { readCursor, toPage } from '../cursor.ts'
import { flag, list, nullable, oneOf, page, pageQuery, record, text, time, whole } from '../fields.ts'
import { changes, defineOperation, looks, reads, type AdminOperation } from '../operation.ts'

const id = Type.Integer({ minimum: 1, description: 'Number of the job' })
const stage = oneOf(
  ['intake', 'dispatch', 'settle', 'opt-outs', 'unreadable'],
  'The stage that could not process it',
)
const jobFields = {
  id,
  stage,
  msgKey: nullable(text('Key of its message')),
  reason: nullable(text('Why it was parked; null: see the log of the stage')),
  times: whole('How often it was parked'),
  parkedAt: time('When it was last parked'),
}
const Job = record(jobFields, 'A parked job')

function toJob({ id: number, stage: by, msgKey, reason, times, parkedAt }: ParkedRow) {
  return { id: number, stage: by, msgKey, reason, times, parkedAt }
}

export const parkedOperations: readonly AdminOperation[] = [
  defineOperation({
    id: 'listParked',
    method: 'get',
    path: '/admin/v1/parked',
    tag: 'Parked',
    summary: 'List parked jobs, the oldest first',
    access: reads(),
    action: 'parked list',
    query: { ...pageQuery, stage: Type.Optional(stage) },
    data: page(Job, 'Parked jobs'),
    run: async ({ query: { limit, cursor, stage: only } }, { database }) => {
      const after = readCursor(Type.Tuple([Type.Integer({ minimum: 0 })]), cursor)?.[0] ?? 0
      return toPage(await listParked(database, after, limit + 1, only ?? null), limit, toJob, (row) => [
        row.id,
      ])
    },
  }),
  defineOperation({
    id: 'showParked',
    method: 'get',
    path: '/admin/v1/parked/{id}',
    tag: 'Parked',
    summary: 'Show a parked job',
    access: looks(),
    action: 'parked show',
    params: { id },
    query: {
      reveal: Type.Optional(
        flag(
          'true: show all of it, with what the client wrote; needs the right _reveal_ and a reason, and is recorded',
        ),
      ),
    },
    data: record(
      {
        ...jobFields,
        keys: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
          description: 'What it is about, without what the client wrote',
        }),
        bytes: whole('Its size'),
        payload: nullable(text('All of it, where it is revealed')),
      },
      'A parked job',
    ),
    run: async ({ params, query: { reveal = false } }, { database, audit }) => {
      const row = await requireParked(database, params.id)
      if (reveal) await audit.look({ target: `parked job ${row.id}`, details: { msgKey: row.msgKey } })
      const { payload } = row
      return {
        ...toJob(row),
        ...{ keys: { ...keysOf(payload) }, bytes: payload.length },
        payload: reveal ? payload.toString() : null,
      }
    },
  }),
  defineOperation({
    id: 'retryParked',
    method: 'post',
    path: '/admin/v1/parked/retry',
    tag: 'Parked',
    summary: 'Hand parked jobs to their stage again',
    description:
      'A job that fails again is parked again. It stops at the first job that cannot be handed over; repeating it is safe.',
    access: changes('messages'),
    action: 'parked retry',
    body: { ids: Type.Array(id, { minItems: 1, maxItems: 200, description: 'Numbers of jobs' }) },
    data: record(
      {
        jobs: list(
          record(
            {
              id,
              result: oneOf(['retried', 'parked-again', 'ended', 'unreadable'], 'What became of it'),
            },
            'A job',
          ),
          'Jobs that were handed over, in order',
        ),
        stoppedAt: nullable(record({ id, error: text('Why') }, 'The job that could not be handed over')),
      },
      'The retry',
    ),
    run: async ({ body: { ids } }, { database, audit, services: { broker, topology } }) => {
      const { jobs, stoppedAt } = await retryJobs({ database, audit, broker, topology }, { ids, stage: null })
      return { jobs: jobs.map(({ row, result }) => ({ id: row.id, result })), stoppedAt }
    },
  }),
  defineOperation({
    id: 'dropParked',
    method: 'post',
    path: '/admin/v1/parked/{id}/drop',
    tag: 'Parked',
    summary: 'Give a parked job up; its message still ends in exactly one outcome',
    access: changes('messages', 'required'),
    action: 'parked drop',
    params: { id },
    data: record({ id, effect: text('What it causes') }, 'The drop'),
    run: async ({ params }, { database, audit, services: { broker, topology } }) => ({
      id: params.id,
      effect: await dropJob({ database, audit, broker, topology }, params.id),
    }),
  }),
]
