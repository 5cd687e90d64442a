/** From the request of a client to the octets on the wire, for every kind of message. See gateway/test/golden/rbm/README.md. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { formats } from '../../channels/rcs/formats.ts'
import { goldenBodies, goldenCases, goldenFolder, toHttp } from '../../../test/support/rbm-golden.ts'
import { layoutOf } from './layouts.ts'

for (const { name, request } of goldenCases())
  test(name, () => {
    const path = join(goldenFolder, `${name}.http`)
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, toHttp(request))
    assert.equal(toHttp(request).toString(), readFileSync(path, 'utf8'))
  })

test('every format that clients may use has a layout and a golden request', () => {
  const shown = new Set(Object.values(goldenBodies()).map((body) => (body as { formatId: string }).formatId))
  for (const { id } of formats) assert.ok(layoutOf(id) !== undefined && shown.has(id), id)
})
