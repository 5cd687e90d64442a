import { Type } from 'typebox'
import { requireAccountId } from '../find-account.ts'
import { createTopology } from '../../jobs/queues.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { listWorkers, type WorkerRow } from '../../platform/membership/tables.ts'
import { Usage } from '../../records/usage/http.ts'
import { groupings, readUsage } from '../../records/usage/queries.ts'
import { encodeUsageCursor, readUsageQuery } from '../../records/usage/query.ts'
import { loadRouteRules } from '../../carriers/routes/queries.ts'
import { listShares } from '../../carriers/routes/shares.ts'
import { clientId, flag, list, number, oneOf, page, pageQuery, record, text, time, whole } from '../fields.ts'
import { defineOperation, readAccess } from '../operation.ts'

const day = (description: string) => Type.Optional(text(description, { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }))

const workerStates = ['running', 'takes no routes', 'silent'] as const
const grouping = `(${Object.keys(groupings).join('|')})`

export const usageOperations = [
  defineOperation({
    id: 'showUsage',
    method: 'get',
    path: '/admin/v1/accounts/{clientId}/usage',
    tag: 'Usage',
    summary: 'Show the counts of closed messages of an account; by default per day for the last 30 days',
    description: 'Days are the days of acceptance in POSTERN_TIME_ZONE, at most 366.',
    access: readAccess(),
    client: 'own',
    action: 'usage',
    command: { examples: ['shop-1', 'shop-1 --from 2026-11-01 --to 2026-11-30 --group-by channel,outcome'] },
    params: { clientId },
    query: {
      ...pageQuery,
      from: day('The first day, such as 2026-11-01'),
      to: day('The last day'),
      groupBy: Type.Optional(
        text(`Groupings, separated by commas: ${Object.keys(groupings).join(', ')}`, {
          maxLength: 60,
          pattern: `^${grouping}(,${grouping})*$`,
        }),
      ),
    },
    data: page(Usage, 'Counts, sorted by the groupings'),
    run: async (
      { params, query: { limit, cursor, groupBy, ...given } },
      { database, services: { config } },
    ) => {
      const accountId = await requireAccountId(database, params.clientId)
      const request = readUsageQuery({ ...given, by: groupBy, after: cursor }, config.timeZone, clock.date())
      const { from, to, by } = request
      const rows = await readUsage(database, accountId, from, to, by, config.timeZone, {
        after: request.page.after,
        limit: limit + 1,
      })
      const items = rows.slice(0, limit)
      return { items, next: rows.length > limit ? encodeUsageCursor(items.at(-1)!, by) : null }
    },
  }),
  defineOperation({
    id: 'listWorkers',
    method: 'get',
    path: '/admin/v1/workers',
    tag: 'Now',
    summary: 'List the workers with their partitions',
    description:
      'Routes are hashed to partitions, which are divided among the workers. A worker that does not renew its row for some seconds is silent, and the others take over its partitions.',
    access: readAccess(),
    action: 'worker list',
    command: { examples: [''], columns: ['id', 'host', 'startedAt', 'state', 'routes', 'silentSeconds'] },
    data: record(
      {
        workers: list(
          record(
            {
              id: text('ID of the worker'),
              host: text('Host and process'),
              startedAt: time('When it started'),
              seenAt: time('When it last renewed its row'),
              silentSeconds: number('Seconds since then'),
              state: oneOf(workerStates, 'silent: the others take over its partitions'),
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
    run: async (_input, { database }) => {
      const sharePartitions = await listPartitions(database)
      const workers = await listWorkers(database)
      return {
        workers: workers.map((worker) => ({
          ...worker,
          silentSeconds: Math.max(0, Math.round((clock.now() - worker.seenAt.getTime()) / 1000)),
          state: toState(worker),
          routes: sharePartitions.filter((partition) => worker.partitions.includes(partition)).length,
        })),
      }
    },
  }),
]

function toState({ live, available }: WorkerRow): (typeof workerStates)[number] {
  if (!live) return 'silent'
  return available ? 'running' : 'takes no routes'
}

/** Returns the partition of every share of an enabled route. */
async function listPartitions(database: Queryable): Promise<number[]> {
  // The partition of a share does not depend on the prefix of the queues.
  const topology = createTopology('')
  return (await loadRouteRules(database))
    .filter((route) => route.enabled)
    .flatMap(listShares)
    .map((share) => topology.getPartition(share.id))
}
