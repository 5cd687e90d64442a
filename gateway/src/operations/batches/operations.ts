import { Type } from 'typebox'
import { describeBatch, describeBatchDetails, requireBatch } from './describe.ts'
import { clock } from '../../platform/time/clock.ts'
import { listBatchViews } from '../../records/batches/views.ts'
import { batchTransitions, type BatchState } from '../../records/batches/transitions.ts'
import { readCursor, toPage } from '../cursor.ts'
import { requireAccountId } from '../find-account.ts'
import {
  clientId,
  flag,
  list,
  nullable,
  number,
  oneOf,
  page,
  pageQuery,
  record,
  rowNumber,
  text,
  time,
  whole,
} from '../fields.ts'
import { defineOperation, readAccess, writeAccess } from '../operation.ts'
import { changeBatch } from './change.ts'

const batchId = text('ID of the batch', { minLength: 1, maxLength: 64 })
const params = { batchId }
const state = oneOf(
  Object.keys(batchTransitions) as BatchState[],
  'open: lines can be uploaded; checking: lines are checked; ready: can be started; running: messages are created; paused; cancelled; ended: every line has its result',
)

const batchFields = {
  batchId,
  account: clientId,
  ref: nullable(text('Reference of the client')),
  state,
  lines: whole('Uploaded lines: the sum of the next five counts'),
  waiting: whole('Lines without a message yet'),
  duplicate: whole('Lines dropped because an earlier line has the same recipient'),
  refused: whole('Lines refused by a check'),
  cancelled: whole('Lines cancelled before a message was created'),
  messages: whole('Messages created'),
  open: whole('Messages without a final report'),
  delivered: whole('Messages with a report of delivery'),
  failed: whole('Messages with another report'),
  createdAt: time('When it was created'),
  startAt: nullable(time('Time before which no message is created')),
  startedAt: nullable(time('When it was started')),
  endBy: nullable(time('Time from which no more messages are created; the remaining lines are cancelled')),
  endedAt: nullable(time('When it ended')),
  speed: nullable(whole('Maximum messages per second; null means as fast as routes accept them')),
  hours: nullable(
    record(
      { from: text('Such as 09:00'), to: text('Such as 20:00') },
      'Hours of the day in which messages are created, in POSTERN_TIME_ZONE',
    ),
  ),
  duplicates: oneOf(['drop', 'keep'], 'What happens to lines with the recipient of an earlier line'),
}
const Batch = record(batchFields, 'A batch: one flow for many recipients', { title: 'Batch' })

const BatchDetails = record(
  {
    ...batchFields,
    codes: list(
      record(
        { code: text('Result code'), text: text('Its cause'), lines: whole('Refused lines') },
        'Lines refused for one reason',
      ),
      'Refused lines by result code, most frequent first',
    ),
    outcomes: list(
      record(
        {
          code: text('Report code'),
          delivered: flag('Whether it means that the message was delivered'),
          text: text('Its meaning'),
          action: text('What to do next'),
          messages: whole('Messages'),
        },
        'Messages with one outcome',
      ),
      'Closed messages by report code, most frequent first',
    ),
    perSecond: nullable(number('Messages created per second in the last minute; null without any')),
    expectedEndAt: nullable(
      time(
        'When the last message is created at this pace, or at `speed` before the start; null if it cannot be estimated',
      ),
    ),
    timeZone: text('Time zone of `hours`'),
  },
  'A batch with the reasons of refusals and failures',
  { title: 'BatchDetails' },
)

const position = Type.Tuple([rowNumber('Number of the last batch of the page')])

const changeOperation = <const Verb extends 'pause' | 'resume' | 'cancel'>(
  verb: Verb,
  reason: 'required' | 'optional',
  summary: string,
  description: string,
) =>
  defineOperation({
    id: `${verb}Batch` as const,
    method: 'post',
    path: `/admin/v1/batches/{batchId}/${verb}`,
    tag: 'Batches',
    summary,
    description,
    access: writeAccess('messages', reason),
    action: `batch ${verb}`,
    command: { examples: [`20261116004512345A17QKX2M8R4ZT0V --reason "asked by the client"`] },
    params,
    data: Batch,
    run: async ({ params: { batchId: key } }, { database, audit }) => {
      await changeBatch(database, audit, key, verb)
      return describeBatch(await requireBatch(database, key))
    },
  })

export const batchOperations = [
  defineOperation({
    id: 'listBatches',
    method: 'get',
    path: '/admin/v1/batches',
    tag: 'Batches',
    summary: 'List batches, newest first',
    access: readAccess(),
    action: 'batch list',
    command: {
      examples: ['', '--state running', '--account shop-1'],
      columns: ['batchId', 'account', 'ref', 'state', 'lines', 'waiting', 'open', 'delivered', 'failed'],
      limit: 100,
    },
    query: { ...pageQuery, account: Type.Optional(clientId), state: Type.Optional(state) },
    data: page(Batch, 'Batches'),
    run: async ({ query: { limit, cursor, account, state: stateFilter } }, { database }) => {
      const accountId = account === undefined ? undefined : await requireAccountId(database, account)
      const before = readCursor(position, cursor)?.[0]
      const rows = await listBatchViews(database, { accountId, state: stateFilter, before, limit: limit + 1 })
      return toPage(rows, limit, describeBatch, (row) => [row.id])
    },
  }),
  defineOperation({
    id: 'showBatch',
    method: 'get',
    path: '/admin/v1/batches/{batchId}',
    tag: 'Batches',
    summary: 'Show the progress of a batch, and why lines were refused and messages failed',
    access: readAccess(),
    action: 'batch show',
    command: { examples: ['20261116004512345A17QKX2M8R4ZT0V'] },
    params,
    query: { language: Type.Optional(oneOf(['en', 'ko'], 'Language of the texts')) },
    data: BatchDetails,
    run: async ({ params: { batchId: key }, query: { language } }, { database, services: { config } }) =>
      describeBatchDetails(database, await requireBatch(database, key), {
        language: language ?? 'en',
        timeZone: config.timeZone,
        now: clock.date(),
      }),
  }),
  changeOperation(
    'pause',
    'required',
    'Pause a running batch',
    'Within two seconds no more of its messages are submitted. Submitted messages get their reports. The client can resume it.',
  ),
  changeOperation('resume', 'optional', 'Resume a paused batch', 'Waiting messages are submitted again.'),
  changeOperation(
    'cancel',
    'required',
    'Cancel a batch permanently',
    'Remaining lines get no message. Messages that were not submitted are closed with report 90010; submitted messages get their own reports.',
  ),
]
