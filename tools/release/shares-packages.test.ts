import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharesPackages } from './shares-packages.ts'

const lock = (version: string, more = {}) => ({
  packages: { '': {}, gateway: { version: '0.1.0' }, 'node_modules/pg': { version, ...more } },
})

test('equal versions are shared regardless of the workspace version', () => {
  const other = { packages: { ...lock('8.0.0').packages, gateway: { version: '0.2.0' } } }
  assert.equal(sharesPackages(lock('8.0.0'), other), true)
})

test('different versions and missing packages are not shared', () => {
  assert.equal(sharesPackages(lock('8.0.0'), lock('8.0.1')), false)
  assert.equal(sharesPackages(lock('8.0.0'), { packages: {} }), false)
})

test('development packages are ignored', () => {
  assert.equal(sharesPackages(lock('8.0.0', { dev: true }), lock('8.0.1')), true)
})
