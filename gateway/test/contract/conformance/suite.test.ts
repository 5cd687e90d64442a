/** Runs the test of every row against one installation, concurrently. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import './proofs/index.ts'
import { pairRowsWithTests } from './prove.ts'
import { toRowName } from './row.ts'
import { rows } from './rows.ts'
import { closeConformanceInstallation, openConformanceInstallation } from './installation.ts'

const pairs = pairRowsWithTests(rows)
// For running some rows manually; the npm command does not set it.
const idPrefix = process.env.CONFORMANCE_ONLY

let failed = false

describe('conformance', { concurrency: 12 }, () => {
  before(openConformanceInstallation, { timeout: 60_000 })
  after(async () => assert.deepEqual(await closeConformanceInstallation(failed), []), { timeout: 60_000 })

  for (const { row, rowTest } of pairs) {
    if (idPrefix !== undefined && !row.id.startsWith(idPrefix)) continue
    test(toRowName(row), { timeout: 45_000 }, async () => {
      try {
        await rowTest()
      } catch (error) {
        failed = true
        throw error
      }
    })
  }
})
