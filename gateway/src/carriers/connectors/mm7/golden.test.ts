/**
 * Compares the requests of the connector with golden files, byte for byte, in every dialect. See
 * gateway/test/contract/golden/README.md.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { goldenCases, goldenFolder, toHttp } from '../../../../test/support/carriers/mm7-golden.ts'

for (const { name, request } of goldenCases())
  test(name, () => {
    const path = join(goldenFolder, `${name}.http`)
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, toHttp(request))
    // Decode one character per octet, so that differences are readable.
    assert.equal(toHttp(request).toString('latin1'), readFileSync(path, 'latin1'))
  })
