import { acknowledgeUnrecorded, compareLedger, sumGaps, type ComparedLedger } from './compare.ts'
import { findClientIds } from '../routes/list.ts'
import type { Database } from '../../platform/database/database.ts'
import { singleFlight } from '../../platform/single-flight.ts'
import { readCheck } from '../../records/ledger/check.ts'
import { findGateGaps, type GateGaps } from '../../records/ledger/gate.ts'
import { list, nullable, record, text, time, whole } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'

const maxGaps = 1_000

const GateGap = record(
  {
    minute: time('Minute of acceptance'),
    account: nullable(text('Client ID of the account')),
    accountId: whole('Number of the account'),
    process: text('API process that accepted them'),
    confirmed: whole('Messages confirmed to the client'),
    recorded: whole('Recorded messages'),
    missing: whole('The difference'),
  },
  'Messages confirmed but never recorded',
  { title: 'UnrecordedMinute' },
)

const gateFields = {
  missing: whole('Missing messages over all gaps'),
  count: whole('Number of gaps, one per minute, process and account'),
  gaps: list(GateGap, `The first gaps, at most ${maxGaps}`),
}

const UnrecordedMessages = record(gateFields, 'Messages confirmed but never recorded', {
  title: 'UnrecordedMessages',
})

async function toUnrecorded(
  database: Parameters<typeof findClientIds>[0],
  { missing, count, gaps }: GateGaps,
) {
  const shownGaps = gaps.slice(0, maxGaps)
  const clientIds = await findClientIds(
    database,
    shownGaps.map(({ accountId }) => accountId),
  )
  return {
    missing,
    count,
    gaps: shownGaps.map((gap) => ({ ...gap, account: clientIds.get(gap.accountId) ?? null })),
  }
}

/**
 * A comparison can take seconds. Concurrent callers share one connection and one result, so that other
 * connections stay free.
 */
const comparisons = new WeakMap<Database, Map<string, Promise<ComparedLedger>>>()

function compareOnce(database: Database): Promise<ComparedLedger> {
  const pending = comparisons.get(database) ?? new Map<string, Promise<ComparedLedger>>()
  comparisons.set(database, pending)
  return singleFlight(pending, 'ledger', () => compareLedger(database))
}

const counts = {
  accepted: whole('Recorded messages'),
  final: whole('Closed messages'),
  inFlight: whole('Open messages'),
  gap: whole('Missing messages: accepted minus final minus in flight; negative if recorded or closed twice'),
}

export const ledgerOperations = [
  defineOperation({
    id: 'compareLedger',
    method: 'get',
    path: '/admin/v1/ledger/accounts',
    tag: 'Usage',
    summary: 'Compare the ledger counts with the messages, per account',
    description:
      'Reads every open message; concurrent requests share one comparison. Fails with `unavailable` if it exceeds the time limit for reads; a command on the database has more time.',
    access: readAccess(),
    action: 'ledger check',
    command: { examples: [''] },
    data: record(
      {
        accounts: list(
          record(
            {
              accountId: whole('Number of the account'),
              clientId: text('Client ID; ? if the account no longer exists'),
              ...counts,
              unrecorded: whole('Messages confirmed but never recorded'),
            },
            'An account',
          ),
          'All accounts that have sent messages',
        ),
        gaps: list(
          record(
            {
              day: text('Day of acceptance in UTC, yyyyMMdd'),
              accountId: whole('Number of the account'),
              ...counts,
            },
            'One account and day',
          ),
          `Account days whose counts and messages differ, at most ${maxGaps}`,
        ),
        differences: record(
          {
            count: whole('Number of account days that differ'),
            messages: whole('Number of messages, surplus or missing'),
          },
          'Totals over all of them, listed or not',
        ),
        unrecorded: UnrecordedMessages,
        batches: list(
          record(
            {
              batchId: text('ID of the batch'),
              accountId: whole('Number of the account'),
              lines: whole('Uploaded lines'),
              countedLines: whole('Lines with a result: duplicate, refused, cancelled or with a message'),
              messages: whole('Messages of the batch'),
              open: whole('Open messages'),
              closed: whole('Messages with an outcome'),
            },
            'A batch',
            { title: 'BatchDifference' },
          ),
          `Batches whose counts contradict each other, at most ${maxGaps}`,
        ),
      },
      'The comparison',
    ),
    run: async (_input, { database }) => {
      const { rows, gaps, unrecorded, batchGaps } = await compareOnce(database)
      return {
        accounts: [...rows],
        gaps: gaps.slice(0, maxGaps),
        differences: sumGaps(gaps),
        unrecorded: await toUnrecorded(database, unrecorded),
        batches: batchGaps.slice(0, maxGaps),
      }
    },
  }),
  defineOperation({
    id: 'showLedger',
    method: 'get',
    path: '/admin/v1/ledger',
    tag: 'Usage',
    summary: 'Show the result of the last ledger check',
    description:
      'A worker compares the counts with the messages every 30 seconds, or less often while many messages are open; `GET /admin/v1/ledger/accounts` compares them per account.',
    access: readAccess(),
    action: 'ledger check',
    data: record(
      {
        checkedAt: nullable(time('Time of the last check; null before the first')),
        gap: whole('Messages lost, recorded twice or closed twice'),
        consecutiveGaps: whole('Consecutive checks with a gap'),
        unrecorded: UnrecordedMessages,
      },
      'The ledger',
    ),
    run: async (_input, { database }) => {
      const check = await readCheck(database)
      const unrecorded = await findGateGaps(database)
      return {
        checkedAt: check?.checkedAt ?? null,
        gap: check?.gap ?? 0,
        consecutiveGaps: check?.consecutiveGaps ?? 0,
        unrecorded: await toUnrecorded(database, unrecorded),
      }
    },
  }),
  defineOperation({
    id: 'acknowledgeLedger',
    method: 'post',
    path: '/admin/v1/ledger/acknowledge',
    tag: 'Usage',
    summary:
      'Acknowledge messages that were confirmed but never recorded, so that they are no longer reported',
    access: writeAccess('messages'),
    action: 'ledger acknowledge',
    command: { examples: [''] },
    data: record(gateFields, 'The acknowledged messages'),
    run: async (_input, { database, audit }) => {
      return toUnrecorded(database, await acknowledgeUnrecorded(audit))
    },
  }),
]
