/** GET /admin/v1/now and GET /admin/v1/live. */
import { Now } from '../now/figures.ts'
import { NowReader } from '../now/read.ts'
import { defineOperation, defineStream, reads } from '../operation.ts'
import type { AdminServices } from '../services.ts'

const readers = new WeakMap<AdminServices, NowReader>()

/** One for all requests of a server. */
function readerOf(services: AdminServices): NowReader {
  const known = readers.get(services)
  if (known !== undefined) return known
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
    summary: 'Show whether traffic flows',
    description:
      'Rates, ages, queues, ledger, links and alarms. One reading serves everybody who asks within a second.',
    access: reads(),
    action: 'now',
    data: Now,
    run: (_input, { services }) => readerOf(services).read(),
  }),
  defineStream({
    id: 'watchNow',
    path: '/admin/v1/live',
    tag: 'Now',
    summary: 'Watch whether traffic flows: server-sent events',
    description: [
      'An event `now` about every second, with the same data as `GET /admin/v1/now`; each replaces the one before, so nothing needs to be ' +
        'read again after a reconnect. While the figures cannot be read, an event `unavailable` says why. A comment follows when ' +
        'nothing was sent for ten seconds. An event `end` says why the stream ends: the key does not work any more, or the process stops.',
      '',
      'An operator has at most eight streams open, and a process 64. A reader that takes nothing for ten seconds is disconnected.',
    ].join('\n'),
    access: reads(),
    action: 'live',
    event: 'now',
    data: Now,
    read: (services) => readerOf(services).read(),
  }),
]
