/**
 * Whichever parts the receipts were matched to while the response was missing, every id ends on exactly one
 * part.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { reconcileCarrierIds } from './attempts.ts'

const partOf = (msgKey: string, part: number, carrierId: string | null) =>
  ({ msgKey, step: 1, try: 1, part, carrierId }) as const

test('each id of a response ends on one part, and receipts keep their id', () => {
  const steps = fc.array(
    fc.integer({ min: 1, max: 6 }).chain((parts) => {
      const numbers = Array.from({ length: parts }, (_, n) => n + 1)
      return fc.record({
        parts: fc.constant(numbers),
        receivers: fc.shuffledSubarray(numbers),
        ids: fc.shuffledSubarray(numbers, { minLength: parts }),
      })
    }),
    { minLength: 1, maxLength: 4 },
  )
  fc.assert(
    fc.property(steps, (flows) => {
      const responded = flows.flatMap(({ parts }, n) =>
        parts.map((part) => partOf(`key-${n}`, part, `id-${n}-${part}`)),
      )
      const kept = flows.flatMap(({ receivers, ids }, n) =>
        receivers.map((part, turn) => partOf(`key-${n}`, part, `id-${n}-${ids[turn]}`)),
      )
      const reconciled = reconcileCarrierIds(responded, kept)
      assert.deepEqual(
        reconciled.map(({ carrierId }) => carrierId).sort(),
        responded.map(({ carrierId }) => carrierId).sort(),
      )
      for (const { msgKey, part, carrierId } of kept) {
        const row = reconciled.find((other) => other.msgKey === msgKey && other.part === part)
        assert.equal(row?.carrierId, carrierId)
      }
    }),
  )
})

test('an id without a receipt stays on the part of the response', () => {
  const responded = [partOf('key', 1, 'one'), partOf('key', 2, null)]
  const kept = [partOf('key', 1, null), partOf('key', 2, 'stranger'), partOf('other', 1, 'one')]
  assert.deepEqual(reconcileCarrierIds(responded, kept), responded)
})
