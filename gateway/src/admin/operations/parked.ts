/** Parked jobs: list, show, retry, drop. */
import { Type, type Static } from 'typebox'
import { dropJob, dropJobs, requireParked, retryJobs } from '../../acts/parked.ts'
import { findGroupIds, listParked, readParkedGroups, type ParkedRow } from '../../records/parked/queries.ts'
import { keysOf } from '../../records/parked/read.ts'
import { readCursor, toPage } from '../cursor.ts'
import {
  flag,
  list,
  nullable,
  oneOf,
  page,
  pageQuery,
  record,
  rowNumber,
  text,
  time,
  whole,
} from '../fields.ts'
import { changes, defineOperation, looks, reads } from '../operation.ts'
import { OperationError, wrongField } from '../../acts/errors.ts'

const id = rowNumber('Number of the job')
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
const parkedReason = text('Why jobs were parked, as it is listed', { minLength: 1, maxLength: 200 })
const Job = record(jobFields, 'A parked job', { title: 'ParkedJob' })

const position = Type.Tuple([rowNumber('Number of the last job of the page', 0)])

const maxJobs = 200
const groupFields = {
  stage: Type.Optional(stage),
  parkedReason: Type.Optional(nullable(parkedReason)),
  afterId: Type.Optional(rowNumber('Only jobs after this one', 0)),
  lastId: rowNumber('Only jobs up to this one: what is parked again meanwhile is left out'),
}
const Group = Type.Object(groupFields, {
  title: 'ParkedJobFilter',
  additionalProperties: false,
  description:
    'Instead of numbers: all jobs, or those of a stage, or those parked for a reason; `parkedReason` null: those without a reason',
})

function toChosen({ stage: only, parkedReason: reason, afterId = 0, lastId }: Static<typeof Group>) {
  return { stage: only, reason, afterId, lastId }
}

function toJob({ id: number, stage: by, msgKey, reason, times, parkedAt }: ParkedRow) {
  return { id: number, stage: by, msgKey, reason, times, parkedAt }
}

export const parkedOperations = [
  defineOperation({
    id: 'listParked',
    method: 'get',
    path: '/admin/v1/parked',
    tag: 'Parked',
    summary: 'List parked jobs, the oldest first',
    access: reads(),
    action: 'parked list',
    command: { examples: ['', '--stage dispatch'] },
    query: {
      ...{ ...pageQuery, stage: Type.Optional(stage), parkedReason: Type.Optional(parkedReason) },
      // A parameter of a URL is a text: it cannot be null.
      withoutReason: Type.Optional(
        flag('true: only jobs without a reason; it cannot be given with `parkedReason`'),
      ),
    },
    data: page(Job, 'Parked jobs'),
    run: async (
      { query: { limit, cursor, stage: only, parkedReason, withoutReason = false } },
      { database },
    ) => {
      if (withoutReason && parkedReason !== undefined)
        throw new OperationError('invalid-request', "give either 'parkedReason' or 'withoutReason'")
      const reason = withoutReason ? null : parkedReason
      const after = readCursor(position, cursor)?.[0] ?? 0
      const rows = await listParked(database, after, limit + 1, { stage: only, reason })
      return toPage(rows, limit, toJob, (row) => [row.id])
    },
  }),
  defineOperation({
    id: 'listParkedGroups',
    method: 'get',
    path: '/admin/v1/parked/groups',
    tag: 'Parked',
    summary: 'Count parked jobs by stage and reason',
    access: reads(),
    action: 'parked list',
    data: record(
      {
        groups: list(
          record(
            {
              stage,
              reason: jobFields.reason,
              jobs: whole('How many'),
              times: whole('How often one of them was parked, at most'),
              oldestAt: time('When the first of them was parked'),
              newestAt: time('When the last of them was parked'),
              lastId: id,
            },
            'Jobs of a stage that were parked for the same reason',
            { title: 'ParkedGroup' },
          ),
          'The largest first; at most 100',
        ),
        counted: whole('Jobs in these groups; counted up to 50,000'),
        more: flag('Whether there are more jobs, or more groups'),
      },
      'Parked jobs in groups',
    ),
    run: async (_input, { database }) => {
      const { groups, ...counts } = await readParkedGroups(database)
      return { groups: [...groups], ...counts }
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
    command: { examples: ['7', '7 --reveal --reason "the client asked"'] },
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
      { title: 'ParkedJobDetail' },
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
      'A job that fails again is parked again. It stops at the first job that cannot be handed over; repeating it is safe. Of a group at most 200 jobs are handed over, the oldest first: while `more` is true, repeat it with the number of the last job as `afterId`. Jobs of a group that are gone meanwhile are left out.',
    access: changes('messages'),
    action: 'parked retry',
    publishesJobs: true,
    body: {
      ids: Type.Optional(Type.Array(id, { minItems: 1, maxItems: maxJobs, description: 'Numbers of jobs' })),
      group: Type.Optional(Group),
    },
    data: record(
      {
        jobs: list(
          record(
            {
              id,
              stage,
              result: oneOf(['retried', 'parked-again', 'ended', 'unreadable'], 'What became of it'),
            },
            'A job',
          ),
          'Jobs that were handed over, in order',
        ),
        stoppedAt: nullable(record({ id, error: text('Why') }, 'The job that could not be handed over')),
        more: flag('Whether the group has more jobs'),
      },
      'The retry',
    ),
    run: async ({ body: { ids, group } }, { database, audit, services: { broker, topology } }) => {
      if ((ids === undefined) === (group === undefined))
        throw new OperationError('invalid-request', "give either 'ids' or 'group'")
      const found =
        ids ?? (await findGroupIds(database, toChosen(group!), maxJobs + 1, { withUnreadable: false }))
      const chosen = found.slice(0, maxJobs)
      if (chosen.length === 0) {
        audit.unchanged()
        return { jobs: [], stoppedAt: null, more: false }
      }
      const context = { database, audit, broker, topology }
      const { jobs, stoppedAt } = await retryJobs(context, { ids: chosen, lookedUp: ids === undefined })
      return {
        jobs: jobs.map(({ row, result }) => ({ id: row.id, stage: row.stage, result })),
        stoppedAt,
        more: stoppedAt === null && found.length > maxJobs,
      }
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
    publishesJobs: true,
    command: { examples: ['7 --reason "the client sent it again"'] },
    params: { id },
    data: record({ id, effect: text('What it causes') }, 'The drop'),
    run: async ({ params }, { database, audit, services: { broker, topology } }) => ({
      id: params.id,
      effect: await dropJob({ database, audit, broker, topology }, params.id),
    }),
  }),
  defineOperation({
    id: 'dropParkedGroup',
    method: 'post',
    path: '/admin/v1/parked/drop',
    tag: 'Parked',
    summary:
      'Give up parked jobs: all of them, those of a stage or those with one reason; each message still ends in exactly one outcome',
    description:
      'At most 200 jobs are given up, the oldest first: while `more` is true, repeat it with `nextAfterId` as `afterId`. A job whose message cannot be ended stays.',
    access: changes('messages', 'required'),
    action: 'parked drop-group',
    publishesJobs: true,
    command: { examples: ['--stage settle --last-id 812 --reason "receipts of a test"'] },
    body: groupFields,
    data: record(
      {
        dropped: whole('Jobs that were given up'),
        kept: list(record({ id, why: text('Why it stays') }, 'A job'), 'Jobs that stay'),
        nextAfterId: nullable(id),
        more: flag('Whether the group has more jobs; give `nextAfterId` as `afterId`'),
      },
      'What was given up',
    ),
    run: async ({ body }, { database, audit, services: { broker, topology } }) => {
      if (body.stage === undefined && body.parkedReason === undefined)
        throw wrongField(
          'stage',
          "or 'parkedReason' is required, so that nobody gives up everything by mistake",
        )
      const found = await findGroupIds(database, toChosen(body), maxJobs + 1, { withUnreadable: true })
      const chosen = found.slice(0, maxJobs)
      if (chosen.length === 0) {
        audit.unchanged()
        return { dropped: 0, kept: [], nextAfterId: null, more: false }
      }
      const { dropped, kept } = await dropJobs({ database, audit, broker, topology }, chosen)
      return { dropped, kept: [...kept], nextAfterId: chosen.at(-1)!, more: found.length > maxJobs }
    },
  }),
]
