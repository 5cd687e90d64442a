import { Now } from './figures.ts'
import { NowReader } from './read.ts'
import { defineOperation, defineStream, readAccess } from '../operation.ts'
import type { AdminServices } from '../services.ts'

const readers = new WeakMap<AdminServices, NowReader>()

/** One reader serves all requests of a server. */
function getReader(services: AdminServices): NowReader {
  const existing = readers.get(services)
  if (existing !== undefined) return existing
  const reader = new NowReader(services)
  readers.set(services, reader)
  return reader
}

export const nowOperations = [
  defineOperation({
    id: 'showNow',
    method: 'get',
    path: '/admin/v1/now',
    tag: 'Now',
    summary: 'Show the traffic status',
    description:
      'Returns rates, ages, queues, ledger, links and alarms. Requests within a second share one reading.',
    access: readAccess(),
    action: 'now',
    data: Now,
    run: (_input, { services }) => getReader(services).read(),
  }),
  defineStream({
    id: 'watchNow',
    path: '/admin/v1/live',
    tag: 'Now',
    summary: 'Watch the traffic status: server-sent events',
    description: [
      'An event `now` about every second, with the same data as `GET /admin/v1/now`; each replaces the previous one, so nothing has to be ' +
        'read again after a reconnect. While the figures cannot be read, an event `unavailable` has the cause. A comment is sent if ' +
        'nothing was sent for ten seconds. The last event, `end`, has the reason: the key is no longer valid, or the process stops.',
      '',
      'An operator can open at most eight streams, a process serves at most 64. A reader that consumes nothing for ten seconds is disconnected.',
    ].join('\n'),
    access: readAccess(),
    action: 'live',
    event: 'now',
    data: Now,
    read: (services) => getReader(services).read(),
  }),
]
