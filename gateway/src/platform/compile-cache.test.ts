import assert from 'node:assert/strict'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { privateCacheFolder } from './compile-cache.ts'

const parent = mkdtempSync(join(tmpdir(), 'postern-cache-'))
after(() => rmSync(parent, { recursive: true }))

test('creates a private directory and uses it again', () => {
  const folder = privateCacheFolder(parent)!
  assert.equal(lstatSync(folder).mode & 0o777, 0o700)
  assert.equal(privateCacheFolder(parent), folder)
})

test('rejects links, directories that others can write, and failed creations', () => {
  const folder = privateCacheFolder(parent)!
  chmodSync(folder, 0o777)
  assert.equal(privateCacheFolder(parent), null)
  rmdirSync(folder)
  const elsewhere = join(parent, 'elsewhere')
  mkdirSync(elsewhere, { mode: 0o700 })
  symlinkSync(elsewhere, folder)
  assert.equal(privateCacheFolder(parent), null)
  assert.equal(privateCacheFolder(join(parent, 'missing')), null)
})
