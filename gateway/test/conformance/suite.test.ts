/** Runs the test of every row against one installation, concurrently. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import './proofs/index.ts'
import { pairUp } from './prove.ts'
import { nameOf } from './row.ts'
import { rows } from './rows.ts'
import { closeInstallation, openInstallation } from './installation.ts'

const pairs = pairUp(rows)
// For looking at some rows only; the command never sets it.
const idPrefix = process.env.CONFORMANCE_ONLY

let failed = false

describe('conformance', { concurrency: 12 }, () => {
  before(openInstallation, { timeout: 60_000 })
  after(async () => assert.deepEqual(await closeInstallation(failed), []), { timeout: 60_000 })

  for (const { row, proof } of pairs) {
    if (idPrefix !== undefined && !row.id.startsWith(idPrefix)) continue
    test(nameOf(row), { timeout: 45_000 }, async () => {
      try {
        await proof()
      } catch (error) {
        failed = true
        throw error
      }
    })
  }
})
