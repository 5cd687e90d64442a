import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { isReachableByOthers, servicesDirectory } from './paths.ts'

test('a folder that other users cannot enter is detected', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-paths-')) // created with mode 0700
  t.after(() => rmSync(folder, { recursive: true }))
  assert.equal(isReachableByOthers(join(folder, 'not/yet/there')), false)
  chmodSync(folder, 0o755)
  assert.equal(isReachableByOthers(join(folder, 'not/yet/there')), true)
})

test('the folder is read from the environment at every call', (t) => {
  const before = process.env.POSTERN_SERVICES_DIR
  t.after(() => {
    if (before === undefined) delete process.env.POSTERN_SERVICES_DIR
    else process.env.POSTERN_SERVICES_DIR = before
  })
  process.env.POSTERN_SERVICES_DIR = '/tmp/one'
  assert.equal(servicesDirectory(), '/tmp/one')
  process.env.POSTERN_SERVICES_DIR = '/tmp/two'
  assert.equal(servicesDirectory(), '/tmp/two')
})
