import { readRouteFailures } from './failures.ts'
import { noSuchRoute } from './changes.ts'
import { clock } from '../../platform/time/clock.ts'
import { readRouteVersion } from '../../carriers/routes/queries.ts'
import { list, nullable, record, text, time, whole } from '../fields.ts'
import { defineOperation, readAccess } from '../operation.ts'
import { routeId } from './fields.ts'

/** Fits the time in which a screen loads its list. */
const bounds = { withinMs: 3_600_000, messages: 1_000, budgetMs: 150 }

const Prefix = record(
  {
    prefix: text('Number prefix, at most 6 characters; empty means all numbers'),
    failed: whole('Messages to the prefix that failed with the code'),
    sent: whole('Messages to the prefix, except failures with other codes'),
  },
  'Numbers to which nearly all messages fail',
  { title: 'FailingPrefix' },
)

const Code = record(
  {
    code: nullable(text('Report code; null if the step is retried and has none yet')),
    text: nullable(text('Meaning of the code')),
    carrierCode: nullable(text('Carrier code of the newest failure')),
    failed: whole('Messages that failed with the code'),
    newest: text('Key of the newest message'),
    prefixes: list(
      Prefix,
      'Prefixes that fail while others are served, at most 3; empty if failures are spread',
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
    summary: 'Show the codes and numbers with which messages fail on a route',
    description:
      'Covers the newest 1,000 messages of the last hour and all causes, including numbers that do not exist, which do not count against the health of a route. The read time is limited; `since` is how far back it went.',
    access: readAccess(),
    action: 'route failures',
    params: { routeId },
    data: record(
      {
        since: time('Messages accepted at or after this time were read'),
        sent: whole('Messages submitted over the route'),
        delivered: whole('Of these, messages reported as delivered'),
        failed: whole('Of these, messages refused or reported as failed'),
        codes: list(Code, 'Codes, most frequent first, at most 10'),
      },
      'Failures on a route',
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
