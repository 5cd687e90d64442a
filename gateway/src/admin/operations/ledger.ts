/** The ledger: what its last check found, the comparison account by account, and what is acknowledged. */
import { acknowledgeGate, compareLedger, sumGaps, type ComparedLedger } from '../../acts/ledger.ts'
import { clientIdsOf } from '../../acts/list-routes.ts'
import type { Database } from '../../platform/database.ts'
import { shareCall } from '../../platform/share-call.ts'
import { readCheck } from '../../records/ledger/check.ts'
import { findGateGaps, type GateGaps } from '../../records/ledger/gate.ts'
import { list, nullable, record, text, time, whole } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'

const maxGaps = 1_000

const GateGap = record(
  {
    minute: time('The minute in which they were accepted'),
    account: nullable(text('Client id of the account')),
    accountId: whole('Number of the account'),
    process: text('The API process that accepted them'),
    confirmed: whole('Messages that were confirmed to the client'),
    recorded: whole('Messages that were recorded'),
    missing: whole('The difference'),
  },
  'Messages that were confirmed and never recorded',
  { title: 'UnrecordedMinute' },
)

const gateFields = {
  missing: whole('Messages that are missing, in all gaps'),
  count: whole('How many gaps there are: one for each minute, process and account'),
  gaps: list(GateGap, `The first gaps, at most ${maxGaps}`),
}

const UnrecordedMessages = record(gateFields, 'Messages that were confirmed and never recorded', {
  title: 'UnrecordedMessages',
})

async function toGaps(database: Parameters<typeof clientIdsOf>[0], { missing, count, gaps }: GateGaps) {
  const shown = gaps.slice(0, maxGaps)
  const clientIds = await clientIdsOf(
    database,
    shown.map(({ accountId }) => accountId),
  )
  return {
    ...{ missing, count },
    gaps: shown.map((gap) => ({ ...gap, account: clientIds.get(gap.accountId) ?? null })),
  }
}

/** It may read for seconds: all who ask at the same time share one connection and its answer, so that the other connections stay free. */
const comparisons = new WeakMap<Database, Map<string, Promise<ComparedLedger>>>()

function compareOnce(database: Database): Promise<ComparedLedger> {
  const pending = comparisons.get(database) ?? new Map<string, Promise<ComparedLedger>>()
  comparisons.set(database, pending)
  return shareCall(pending, 'ledger', () => compareLedger(database))
}

const counts = {
  accepted: whole('Messages that were recorded'),
  final: whole('Those of them that have ended'),
  inFlight: whole('Messages that are open'),
  gap: whole('What is missing: accepted less final less in flight; below 0: recorded or closed twice'),
}

export const ledgerOperations = [
  defineOperation({
    id: 'compareLedger',
    method: 'get',
    path: '/admin/v1/ledger/accounts',
    tag: 'Usage',
    summary: 'Compare the counts of the ledger with the messages now, account by account',
    description:
      'It reads every open message; requests at the same time share one comparison. Where that takes longer than the database gives a reader, it is answered `unavailable`; a command on the database has more time.',
    access: reads(),
    action: 'ledger check',
    command: { examples: [''] },
    data: record(
      {
        accounts: list(
          record(
            {
              accountId: whole('Number of the account'),
              clientId: text('Client id; ?: the account does not exist any more'),
              ...counts,
              atGate: whole('Messages that were confirmed and never recorded'),
            },
            'An account',
          ),
          'Every account that has sent',
        ),
        gaps: list(
          record(
            {
              day: text('Day of acceptance in UTC, yyyyMMdd'),
              accountId: whole('Number of the account'),
              ...counts,
            },
            'A day of an account',
          ),
          `Days of accounts whose counts and messages differ, at most ${maxGaps}`,
        ),
        differences: record(
          {
            count: whole('How many days of accounts differ'),
            messages: whole('By how many messages, whether too many or too few'),
          },
          'All of them, listed or not',
        ),
        atGate: UnrecordedMessages,
      },
      'The comparison',
    ),
    run: async (_input, { database }) => {
      const { rows, gaps, gate } = await compareOnce(database)
      return {
        ...{ accounts: [...rows], gaps: gaps.slice(0, maxGaps), differences: sumGaps(gaps) },
        atGate: await toGaps(database, gate),
      }
    },
  }),
  defineOperation({
    id: 'showLedger',
    method: 'get',
    path: '/admin/v1/ledger',
    tag: 'Usage',
    summary: 'Show what the last check of the ledger found',
    description:
      'A worker compares the counts with the messages every 30 seconds; `GET /admin/v1/ledger/accounts` compares them again, account by account.',
    access: reads(),
    action: 'ledger check',
    data: record(
      {
        checkedAt: nullable(time('When it was last checked; null before the first check')),
        gap: whole('Messages that were lost, recorded twice or closed twice'),
        consecutiveGaps: whole('How many checks in a row found a gap'),
        atGate: UnrecordedMessages,
      },
      'The ledger',
    ),
    run: async (_input, { database }) => {
      const check = await readCheck(database)
      const gate = await findGateGaps(database)
      return {
        ...{ checkedAt: check?.checkedAt ?? null, gap: check?.gap ?? 0 },
        consecutiveGaps: check?.consecutiveGaps ?? 0,
        atGate: await toGaps(database, gate),
      }
    },
  }),
  defineOperation({
    id: 'acknowledgeLedger',
    method: 'post',
    path: '/admin/v1/ledger/acknowledge',
    tag: 'Usage',
    summary: 'Acknowledge messages that were confirmed and never recorded: they are no longer reported',
    access: changes('messages'),
    action: 'ledger acknowledge',
    command: { examples: [''] },
    data: record(gateFields, 'What was acknowledged'),
    run: async (_input, { database, audit }) => {
      return toGaps(database, await acknowledgeGate(audit))
    },
  }),
]
