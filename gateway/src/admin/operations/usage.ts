/** Usage of accounts, the ledger and the workers. */
import { Type } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { listWorkers } from '../../pipeline/dispatch/workers-table.ts'
import { clock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database.ts'
import { readCheck } from '../../records/ledger/check.ts'
import {
  acknowledgeGateGaps,
  checkedUntil,
  findGateGaps,
  noGaps,
  type GateGaps,
} from '../../records/ledger/gate-table.ts'
import { Usage } from '../../records/usage/http.ts'
import { readUsage } from '../../records/usage/queries.ts'
import { afterRow, readUsageQuery } from '../../records/usage/query.ts'
import { clientIdsOf } from '../../acts/list-routes.ts'
import {
  clientId,
  flag,
  list,
  nullable,
  number,
  oneOf,
  pageQuery,
  record,
  text,
  time,
  whole,
} from '../fields.ts'
import { changes, defineOperation, reads, type AdminOperation } from '../operation.ts'

const day = (description: string) => Type.Optional(text(description, { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }))

const GateGap = record(
  {
    minute: time('The minute in which they were accepted'),
    account: nullable(text('Client id of the account')),
    process: text('The API process that accepted them'),
    confirmed: whole('Messages that were confirmed to the client'),
    recorded: whole('Messages that were recorded'),
    missing: whole('The difference'),
  },
  'Messages that were confirmed and never recorded',
)

const gateFields = {
  missing: whole('Messages that are missing, in all gaps'),
  gaps: list(GateGap, 'The first gaps, at most 200'),
}

async function toGaps(database: Parameters<typeof clientIdsOf>[0], { missing, gaps }: GateGaps) {
  const shown = gaps.slice(0, 200)
  const clientIds = await clientIdsOf(
    database,
    shown.map(({ accountId }) => accountId),
  )
  return {
    missing,
    gaps: shown.map(({ accountId, ...gap }) => ({ ...gap, account: clientIds.get(accountId) ?? null })),
  }
}

export const usageOperations: readonly AdminOperation[] = [
  defineOperation({
    id: 'showUsage',
    method: 'get',
    path: '/admin/v1/accounts/{clientId}/usage',
    tag: 'Usage',
    summary: 'Show the counts of closed messages of an account; by default of the last 30 days, by day',
    access: reads(),
    action: 'usage show',
    params: { clientId },
    query: {
      ...pageQuery,
      from: day('The first day'),
      to: day('The last day'),
      by: Type.Optional(
        text('Groupings, separated by commas: day, channel, carrier, outcome, paymentCode', {
          maxLength: 60,
        }),
      ),
    },
    data: record(
      {
        items: list(Usage, 'Counts, sorted by the groupings'),
        next: nullable(text('Cursor of the next page; null on the last one')),
      },
      'A page of the counts',
    ),
    run: async ({ params, query: { limit, cursor, ...given } }, { database, services: { config } }) => {
      const accountId = await requireAccountId(database, params.clientId)
      const asked = readUsageQuery(
        { ...given, ...(cursor === undefined ? {} : { after: cursor }) },
        config.timeZone,
        clock.date(),
      )
      const { from, to, by, page } = asked
      const rows = await readUsage(database, accountId, from, to, by, config.timeZone, {
        ...{ after: page.after, limit: limit + 1 },
      })
      const items = rows.slice(0, limit)
      return { items, next: rows.length > limit ? afterRow(items.at(-1)!, by) : null }
    },
  }),
  defineOperation({
    id: 'showLedger',
    method: 'get',
    path: '/admin/v1/ledger',
    tag: 'Usage',
    summary: 'Show what the last check of the ledger found',
    description:
      'A worker compares the counts with the messages every 30 seconds; `postern ledger` compares them again, account by account.',
    access: reads(),
    action: 'ledger',
    data: record(
      {
        checkedAt: nullable(time('When it was last checked; null before the first check')),
        gap: whole('Messages that were lost, recorded twice or closed twice'),
        consecutiveGaps: whole('How many checks in a row found a gap'),
        atGate: record(gateFields, 'Messages that were confirmed and never recorded'),
      },
      'The ledger',
    ),
    run: async (_input, { database }) => {
      const check = await readCheck(database)
      const gate = await inTransaction(database, async (transaction) => {
        const found = await transaction.query<{ until: Date | null }>(
          `select ${checkedUntil} as until from ledger_checks`,
        )
        const until = found.rows[0]?.until ?? null
        return until === null ? noGaps : findGateGaps(transaction, until)
      })
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
    action: 'ledger',
    data: record(gateFields, 'What was acknowledged'),
    run: async (_input, { database, audit }) => {
      const found = await audit.change(async (transaction) => {
        const gaps = await acknowledgeGateGaps(transaction)
        return [gaps, { target: 'ledger', details: { gaps: gaps.count, messages: gaps.missing } }] as const
      })
      return toGaps(database, found)
    },
  }),
  defineOperation({
    id: 'listWorkers',
    method: 'get',
    path: '/admin/v1/workers',
    tag: 'Now',
    summary: 'List the workers, and the partitions that each owns',
    access: reads(),
    action: 'worker list',
    data: record(
      {
        workers: list(
          record(
            {
              id: text('Id of the worker'),
              host: text('Host and process'),
              startedAt: time('When it started'),
              seenAt: time('When it last renewed its row'),
              silentSeconds: number('How long ago that was'),
              state: oneOf(
                ['running', 'takes no routes', 'silent'],
                'silent: the others take its partitions',
              ),
              partitions: list(Type.Integer(), 'Partitions of routes that it owns'),
              live: flag('Whether it renews its row'),
            },
            'A worker',
          ),
          'Workers',
        ),
      },
      'Workers',
    ),
    run: async (_input, { database }) => ({
      workers: (await listWorkers(database)).map((worker) => ({
        ...{ id: worker.id, host: worker.host, startedAt: worker.startedAt, seenAt: worker.seenAt },
        silentSeconds: Math.max(0, Math.round((clock.now() - worker.seenAt.getTime()) / 1000)),
        state: !worker.live
          ? ('silent' as const)
          : worker.available
            ? ('running' as const)
            : ('takes no routes' as const),
        ...{ partitions: [...worker.partitions], live: worker.live },
      })),
    }),
  }),
]
