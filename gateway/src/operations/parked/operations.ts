import { Type, type Static } from 'typebox'
import { dropJob, dropJobs, requireParked, retryJobs } from './parked.ts'
import {
  findGroupIds,
  listParked,
  readParkedGroups,
  type StoredParkedJob,
} from '../../records/parked/queries.ts'
import { identifyingFields } from '../../records/parked/read.ts'
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
import { writeAccess, defineOperation, personalDataAccess, readAccess } from '../operation.ts'
import { OperationError, wrongField } from '../errors.ts'

const id = rowNumber('Number of the job')
const stage = oneOf(
  ['intake', 'dispatch', 'settle', 'opt-outs', 'unreadable'],
  'Stage that could not process it',
)
const jobFields = {
  id,
  stage,
  msgKey: nullable(text('Key of its message')),
  reason: nullable(text('Why it was parked; if null, see the log of the stage')),
  times: whole('Number of times it was parked'),
  parkedAt: time('When it was last parked'),
}
const parkedReason = text('Reason for parking, as listed', { minLength: 1, maxLength: 200 })
const Job = record(jobFields, 'A parked job', { title: 'ParkedJob' })

const position = Type.Tuple([rowNumber('Number of the last job of the page', 0)])

const maxJobs = 200
const groupFields = {
  stage: Type.Optional(stage),
  parkedReason: Type.Optional(nullable(parkedReason)),
  afterId: Type.Optional(rowNumber('Only jobs after this one', 0)),
  lastId: rowNumber('Only jobs up to this one, which excludes jobs parked again in the meantime'),
}
const Group = Type.Object(groupFields, {
  title: 'ParkedJobFilter',
  additionalProperties: false,
  description:
    'Jobs instead of numbers: all jobs, those of a stage, or those parked for a reason; `parkedReason` null means without a reason',
})

function toSelection({
  stage: stageFilter,
  parkedReason: reason,
  afterId = 0,
  lastId,
}: Static<typeof Group>) {
  return { stage: stageFilter, reason, afterId, lastId }
}

function toJob({ id: number, stage: jobStage, msgKey, reason, times, parkedAt }: StoredParkedJob) {
  return { id: number, stage: jobStage, msgKey, reason, times, parkedAt }
}

export const parkedOperations = [
  defineOperation({
    id: 'listParked',
    method: 'get',
    path: '/admin/v1/parked',
    tag: 'Parked',
    summary: 'List parked jobs, oldest first',
    access: readAccess(),
    action: 'parked list',
    command: { examples: ['', '--stage dispatch'] },
    query: {
      ...pageQuery,
      stage: Type.Optional(stage),
      parkedReason: Type.Optional(parkedReason),
      // Query parameters are strings and cannot be null.
      withoutReason: Type.Optional(
        flag('Only jobs without a reason; not allowed together with a reason for parking'),
      ),
    },
    data: page(Job, 'Parked jobs'),
    run: async (
      { query: { limit, cursor, stage: stageFilter, parkedReason, withoutReason = false } },
      { database },
    ) => {
      if (withoutReason && parkedReason !== undefined)
        throw new OperationError('invalid-request', "'parkedReason' and 'withoutReason' cannot be combined")
      const reason = withoutReason ? null : parkedReason
      const after = readCursor(position, cursor)?.[0] ?? 0
      const rows = await listParked(database, after, limit + 1, { stage: stageFilter, reason })
      return toPage(rows, limit, toJob, (row) => [row.id])
    },
  }),
  defineOperation({
    id: 'listParkedGroups',
    method: 'get',
    path: '/admin/v1/parked/groups',
    tag: 'Parked',
    summary: 'Count parked jobs by stage and reason',
    access: readAccess(),
    action: 'parked list',
    data: record(
      {
        groups: list(
          record(
            {
              stage,
              reason: jobFields.reason,
              jobs: whole('Number of jobs'),
              times: whole('Maximum number of times that one of them was parked'),
              oldestAt: time('Time at which the first was parked'),
              newestAt: time('Time at which the last was parked'),
              lastId: id,
            },
            'Jobs of one stage parked for the same reason',
            { title: 'ParkedGroup' },
          ),
          'Groups, largest first; at most 100',
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
    access: personalDataAccess(),
    action: 'parked show',
    command: { examples: ['7', '7 --reveal --reason "the client asked"'] },
    params: { id },
    query: {
      reveal: Type.Optional(
        flag(
          'Show the whole job with the content of the message; requires the right _reveal_ and a reason, and is recorded',
        ),
      ),
    },
    data: record(
      {
        ...jobFields,
        keys: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
          description: 'Identifiers of the job, without the content of the message',
        }),
        bytes: whole('Size of the job'),
        payload: nullable(text('The whole job, if revealed')),
      },
      'A parked job',
      { title: 'ParkedJobDetail' },
    ),
    run: async ({ params, query: { reveal = false } }, { database, audit }) => {
      const row = await requireParked(database, params.id)
      if (reveal)
        await audit.recordAccess({ target: `parked job ${row.id}`, details: { msgKey: row.msgKey } })
      const { payload } = row
      return {
        ...toJob(row),
        keys: { ...identifyingFields(payload) },
        bytes: payload.length,
        payload: reveal ? payload.toString() : null,
      }
    },
  }),
  defineOperation({
    id: 'retryParked',
    method: 'post',
    path: '/admin/v1/parked/retry',
    tag: 'Parked',
    summary: 'Retry parked jobs',
    description:
      'Sends jobs to their stage again; a job that fails again is parked again. Stops at the first job that cannot be sent; repeating the request is safe. At most 200 jobs of a group are retried, oldest first: while `more` is true, repeat with the number of the last job as `afterId`. Jobs of a group that no longer exist are skipped.',
    access: writeAccess('messages'),
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
              result: oneOf(
                ['retried', 'parked-again', 'ended', 'unreadable'],
                'parked-again: retried, and already parked again; ended: removed, because its step had ended; unreadable: kept, because no stage can read it',
              ),
            },
            'A job',
          ),
          'Jobs with their results, in order',
        ),
        stoppedAt: nullable(record({ id, error: text('Why') }, 'The job that could not be retried')),
        more: flag('Whether the group has more jobs'),
      },
      'The retry',
    ),
    run: async ({ body: { ids, group } }, { database, audit, services: { broker, topology } }) => {
      if ((ids === undefined) === (group === undefined))
        throw new OperationError('invalid-request', "either 'ids' or 'group' is required")
      const candidates =
        ids ?? (await findGroupIds(database, toSelection(group!), maxJobs + 1, { withUnreadable: false }))
      const chosen = candidates.slice(0, maxJobs)
      if (chosen.length === 0) {
        audit.unchanged()
        return { jobs: [], stoppedAt: null, more: false }
      }
      const context = { database, audit, broker, topology }
      const { jobs, stoppedAt } = await retryJobs(context, { ids: chosen, lookedUp: ids === undefined })
      return {
        jobs: jobs.map(({ row, result }) => ({ id: row.id, stage: row.stage, result })),
        stoppedAt,
        more: stoppedAt === null && candidates.length > maxJobs,
      }
    },
  }),
  defineOperation({
    id: 'dropParked',
    method: 'post',
    path: '/admin/v1/parked/{id}/drop',
    tag: 'Parked',
    summary: 'Drop a parked job; its message still gets exactly one outcome',
    access: writeAccess('messages', 'required'),
    action: 'parked drop',
    publishesJobs: true,
    command: { examples: ['7 --reason "the client sent it again"'] },
    params: { id },
    data: record({ id, effect: text('Effect on the message') }, 'The drop'),
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
      'Drop the parked jobs of a stage, with one reason, or both; each message still gets exactly one outcome',
    description:
      'At most 200 jobs are dropped, oldest first: while `more` is true, repeat for the jobs after `nextAfterId`. A job whose message cannot be closed is kept.',
    access: writeAccess('messages', 'required'),
    action: 'parked drop-group',
    publishesJobs: true,
    command: { examples: ['--stage settle --last-id 812 --reason "receipts of a test"'] },
    body: groupFields,
    data: record(
      {
        dropped: whole('Dropped jobs'),
        kept: list(record({ id, why: text('Why it was kept') }, 'A job'), 'Kept jobs'),
        nextAfterId: nullable(id),
        more: flag('Whether the group has more jobs; pass `nextAfterId` as `afterId`'),
      },
      'The dropped jobs',
    ),
    run: async ({ body }, { database, audit, services: { broker, topology } }) => {
      if (body.stage === undefined && body.parkedReason === undefined)
        throw wrongField(
          'stage',
          "or 'parkedReason' is required, so that not all jobs are dropped by mistake",
        )
      const found = await findGroupIds(database, toSelection(body), maxJobs + 1, { withUnreadable: true })
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
