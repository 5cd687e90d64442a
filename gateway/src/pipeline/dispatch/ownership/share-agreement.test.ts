/**
 * While the number of owners of a route changes, those that submit never divide its rate into more than the whole: workers
 * read the change, publish their number of owners and compare it with that of the others in any order.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseShareNumber, toShareId } from '../../../jobs/route-share.ts'
import type { LiveShare } from '../../../carriers/routes/states-table.ts'
import { isAgreed } from './route-loops.ts'

const routeId = 'texts'

/** The process that owns one share, or may own it: what it has read, and whether it submits. */
interface Owner {
  readonly id: string
  readonly member: string
  /** Number of owners by which it divides; 0 before it has read one. */
  owners: number
  submits: boolean
}

/** Next action of an owner. `read` reads the routes; a changed number of owners stops the share first, like `RouteSlot`. */
type Action = 'read' | 'publish' | 'compare'

const cases = fc.record({
  numbers: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 4 }),
  actions: fc.array(
    fc.record({
      owner: fc.nat(5),
      action: fc.constantFrom<Action[]>('read', 'publish', 'compare'),
      /** If 0, the route gets its next number of owners before the action. */
      changes: fc.nat(9),
    }),
    { minLength: 20, maxLength: 200 },
  ),
})

test('owners that submit concurrently never exceed the rate, in any order of their actions', () => {
  fc.assert(
    fc.property(cases, ({ numbers, actions }) => {
      const owners: Owner[] = Array.from({ length: 6 }, (_, index) => ({
        id: toShareId(routeId, index + 1),
        member: `worker-${index}`,
        owners: 0,
        submits: false,
      }))
      const live = new Map<string, LiveShare>()
      let current = 0
      for (const { owner: index, action, changes } of actions) {
        if (changes === 0) current = Math.min(current + 1, numbers.length - 1)
        perform(owners[index]!, action, numbers[current]!, live)
        const fraction = owners
          .filter(({ submits }) => submits)
          .reduce((sum, each) => sum + 1 / each.owners, 0)
        assert.ok(fraction <= 1 + 1e-9, `they submit at ${fraction} of the rate`)
      }
      // Once all have read the last number, they all submit.
      const last = numbers[current]!
      for (const action of ['read', 'publish', 'compare'] as const)
        for (const owner of owners) perform(owner, action, last, live)
      assert.equal(owners.filter(({ submits }) => submits).length, last)
    }),
    { numRuns: 2_000 },
  )
})

function perform(owner: Owner, action: Action, number: number, live: Map<string, LiveShare>): void {
  const { id, member } = owner
  if (action === 'read') {
    if (owner.owners === number) return
    owner.submits = false
    owner.owners = number
    // A share that the route no longer has removes its state when it has stopped.
    if (parseShareNumber(id) > number) live.delete(id)
  } else if (owner.owners === 0 || parseShareNumber(id) > owner.owners) return
  else if (action === 'publish') live.set(id, { shareId: id, owners: owner.owners, owner: member })
  else owner.submits ||= isAgreed({ id, routeId, owners: owner.owners }, live, member)
}

test('a share that another process still owns does not submit', () => {
  const live = new Map([['texts', { shareId: 'texts', owners: 1, owner: 'other' }]])
  assert.equal(isAgreed({ id: 'texts', routeId, owners: 1 }, live, 'this'), false)
})
