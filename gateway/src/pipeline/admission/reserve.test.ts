/** The reserve: each bound refuses bulk first and urgent last. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanes } from '../../channels/lane.ts'
import { isUsedUp, type ReserveUse } from './reserve.ts'

const bounds = { messages: 1_000, bytes: 1_000, minutes: 10 }
const open = (use: Partial<ReserveUse>): string[] =>
  lanes.filter((lane) => !isUsedUp(lane, { messages: 0, bytes: 0, stalledMs: 0, ...use }, bounds))

for (const [name, use] of [
  ['messages', (part: number) => ({ messages: 1_000 * part })],
  ['bytes', (part: number) => ({ bytes: 1_000 * part })],
  ['minutes', (part: number) => ({ stalledMs: 600_000 * part })],
] as const) {
  test(`${name}: bulk may use half, normal four fifths, urgent all`, () => {
    assert.deepEqual(open(use(0.49)), ['urgent', 'normal', 'bulk'])
    assert.deepEqual(open(use(0.5)), ['urgent', 'normal'])
    assert.deepEqual(open(use(0.8)), ['urgent'])
    assert.deepEqual(open(use(0.99)), ['urgent'])
    assert.deepEqual(open(use(1)), [])
  })
}
