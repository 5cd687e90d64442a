/** Usage of accounts, and the workers. */
import { Type } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { listWorkersWithRoutes } from '../../acts/list-workers.ts'
import { clock } from '../../platform/clock.ts'
import { Usage } from '../../records/usage/http.ts'
import { readUsage } from '../../records/usage/queries.ts'
import { afterRow, readUsageQuery } from '../../records/usage/query.ts'
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
import { defineOperation, reads } from '../operation.ts'

const day = (description: string) => Type.Optional(text(description, { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }))

export const usageOperations = [
  defineOperation({
    id: 'showUsage',
    method: 'get',
    path: '/admin/v1/accounts/{clientId}/usage',
    tag: 'Usage',
    summary: 'Show the counts of closed messages of an account; by default of the last 30 days, by day',
    access: reads(),
    client: 'own',
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
              routes: whole('Shares of enabled routes in these partitions'),
              live: flag('Whether it renews its row'),
            },
            'A worker',
            { title: 'Worker' },
          ),
          'Workers',
        ),
      },
      'Workers',
    ),
    run: async (_input, { database }) => ({
      workers: (await listWorkersWithRoutes(database)).map((worker) => ({
        ...{ id: worker.id, host: worker.host, startedAt: worker.startedAt, seenAt: worker.seenAt },
        silentSeconds: Math.max(0, Math.round((clock.now() - worker.seenAt.getTime()) / 1000)),
        state: !worker.live
          ? ('silent' as const)
          : worker.available
            ? ('running' as const)
            : ('takes no routes' as const),
        ...{ partitions: [...worker.partitions], routes: worker.routes, live: worker.live },
      })),
    }),
  }),
]
