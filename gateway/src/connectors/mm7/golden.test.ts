/** From the request of a client to the octets on the wire, for every dialect. See gateway/test/golden/mm7/README.md. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { goldenCases, goldenFolder, toHttp } from '../../../test/support/mm7-golden.ts'

for (const { name, request } of goldenCases())
  test(name, () => {
    const path = join(goldenFolder, `${name}.http`)
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, toHttp(request))
    // As text of one character an octet, so that a difference can be read.
    assert.equal(toHttp(request).toString('latin1'), readFileSync(path, 'latin1'))
  })
