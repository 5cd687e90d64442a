/** GET /admin/v1/now and GET /admin/v1/me. */
import { rights, roles, type Right } from '../../operators/rights.ts'
import { list, oneOf, record, text } from '../fields.ts'
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

const Me = record(
  {
    name: text('Name of the operator'),
    role: oneOf(roles, 'Role of the operator'),
    keyId: text('Id of the key'),
    rights: list(oneOf(Object.keys(rights) as Right[], 'A right'), 'What the role may do'),
  },
  'Who the key belongs to',
)

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
  defineOperation({
    id: 'showMe',
    method: 'get',
    path: '/admin/v1/me',
    tag: 'Now',
    summary: 'Show whose key it is, and what it may do',
    access: reads(),
    action: 'me',
    data: Me,
    run: (_input, { signed: { name, role, signature } }) =>
      Promise.resolve({
        ...{ name, role, keyId: signature.keyId },
        rights: (Object.keys(rights) as Right[]).filter((right) =>
          (rights[right].roles as readonly string[]).includes(role),
        ),
      }),
  }),
]
