/**
 * Compares the requests of the connector with golden files, byte for byte, for client requests of every format. See
 * gateway/test/contract/golden/README.md.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { formats } from '../../../channels/rcs/formats.ts'
import { goldenCases, goldenFolder, toHttp } from '../../../../test/support/carriers/maap-golden.ts'

const cases = goldenCases()

for (const golden of cases)
  test(golden.name, () => {
    const path = join(goldenFolder, `${golden.name}.http`)
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, toHttp(golden))
    assert.equal(toHttp(golden).toString('latin1'), readFileSync(path, 'latin1'))
  })

test('every format and every kind of template has a request, and every file is compared', () => {
  const names = cases.map(({ name }) => name)
  const templates = ['free', 'description', 'cell', 'image'].map((kind) => `template-${kind}`)
  for (const name of [...formats.map(({ id }) => id), ...templates])
    for (const variant of ['carrier', 'relay']) assert.ok(names.includes(`${variant}-${name}`), name)
  const files = readdirSync(goldenFolder).filter((name) => name.endsWith('.http'))
  assert.deepEqual(files.toSorted(), names.map((name) => `${name}.http`).toSorted())
})
