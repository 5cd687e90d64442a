/**
 * Compares the requests of the connector with golden files, byte for byte, for client requests of every kind. See
 * gateway/test/contract/golden/README.md.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { formats } from '../../../channels/rcs/formats.ts'
import {
  goldenBodies,
  goldenCases,
  goldenFolder,
  toHttp,
} from '../../../../test/support/carriers/rbm-golden.ts'
import { findLayout } from './layouts.ts'

for (const { name, request } of goldenCases())
  test(name, () => {
    const path = join(goldenFolder, `${name}.http`)
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, toHttp(request))
    assert.equal(toHttp(request).toString(), readFileSync(path, 'utf8'))
  })

test('every format that clients may use has a layout and a golden request', () => {
  const formatIds = new Set(
    Object.values(goldenBodies()).map((body) => (body as { formatId: string }).formatId),
  )
  for (const { id } of formats) assert.ok(findLayout(id) !== undefined && formatIds.has(id), id)
})
