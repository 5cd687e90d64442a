/** GET /admin/v1/now. */
import { Now } from '../now/figures.ts'
import { NowReader } from '../now/read.ts'
import { defineOperation, reads, type AdminOperation } from '../operation.ts'
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

export const nowOperations: readonly AdminOperation[] = [
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
]
