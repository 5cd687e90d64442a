/**
 * Compares the requests of the connector with golden files, byte for byte, for client requests of every type. See
 * gateway/test/contract/golden/README.md.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { goldenCases, goldenFolder } from '../../../../test/support/carriers/kakao-golden.ts'

const cases = goldenCases()

for (const { name, http } of cases)
  test(name, () => {
    const path = join(goldenFolder, `${name}.http`)
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, http)
    // Decode one character per octet, so that differences are readable.
    assert.equal(http.toString('latin1'), readFileSync(path, 'latin1'))
  })

test('every file belongs to a request', () => {
  const files = readdirSync(goldenFolder).filter((name) => name.endsWith('.http'))
  assert.deepEqual(files.sort(), cases.map(({ name }) => `${name}.http`).sort())
})
