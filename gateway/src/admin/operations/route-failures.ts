/** GET /admin/v1/routes/{routeId}/failures. */
import { readRouteFailures } from '../../acts/route-failures.ts'
import { noSuchRoute } from '../../acts/routes.ts'
import { clock } from '../../platform/clock.ts'
import { readRouteVersion } from '../../routes/queries.ts'
import { list, nullable, record, text, time, whole } from '../fields.ts'
import { defineOperation, reads } from '../operation.ts'
import { routeId } from './route-fields.ts'

/** Within the time that the list of a screen may take. */
const bounds = { withinMs: 3_600_000, messages: 1_000, budgetMs: 150 }

const Prefix = record(
  {
    prefix: text('What the numbers begin with, at most 6 characters; empty: whatever the number'),
    failed: whole('Messages to them that failed with the code'),
    sent: whole('Messages to them, without those that failed with other codes'),
  },
  'Numbers to which nearly everything fails',
  { title: 'FailingPrefix' },
)

const Code = record(
  {
    code: nullable(text('Report code; null while the step has none, because it is tried again')),
    text: nullable(text('What it means')),
    carrierCode: nullable(text("The carrier's code of the newest of them")),
    failed: whole('Messages that failed with it'),
    newest: text('Key of the newest of them'),
    prefixes: list(
      Prefix,
      'Those of the numbers that fail while others are served, at most 3; empty: failures are spread',
    ),
  },
  'Failures with the same code',
  { title: 'RouteFailureCode' },
)

export const routeFailureOperations = [
  defineOperation({
    id: 'showRouteFailures',
    method: 'get',
    path: '/admin/v1/routes/{routeId}/failures',
    tag: 'Routes',
    summary: 'Show with which codes messages fail on a route, and to which numbers',
    description:
      'Of the newest 1,000 messages of the last hour, whoever is to blame: also numbers that do not exist, which do not count against the health of a route. It reads for a bounded time, and `since` says how far back it came.',
    access: reads(),
    action: 'route failures',
    params: { routeId },
    data: record(
      {
        since: time('Messages accepted at or after this time were looked at'),
        sent: whole('Messages that were submitted over the route'),
        delivered: whole('Those of them that were reported as delivered'),
        failed: whole('Those of them that were refused or reported as failed'),
        codes: list(Code, 'The most frequent first, at most 10'),
      },
      'What fails on a route',
      { title: 'RouteFailures' },
    ),
    run: async ({ params: { routeId: id } }, { database }) => {
      if ((await readRouteVersion(database, id)) === null) throw noSuchRoute(id)
      const { codes, ...failures } = await readRouteFailures(database, id, clock.date(), bounds)
      return {
        ...failures,
        codes: codes.map(({ prefixes, ...code }) => ({
          ...code,
          prefixes: prefixes.map((prefix) => ({ ...prefix })),
        })),
      }
    },
  }),
]
