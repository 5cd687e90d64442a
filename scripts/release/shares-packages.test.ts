/** Packages of one checkout serve another only where both lock files name the same versions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharesPackages } from './shares-packages.ts'

const lock = (version: string, more = {}) => ({
  packages: { '': {}, gateway: { version: '0.1.0' }, 'node_modules/pg': { version, ...more } },
})

test('the same versions are shared, whatever the version of the workspace itself', () => {
  const other = { packages: { ...lock('8.0.0').packages, gateway: { version: '0.2.0' } } }
  assert.equal(sharesPackages(lock('8.0.0'), other), true)
})

test('another version, or a package that is missing, is not shared', () => {
  assert.equal(sharesPackages(lock('8.0.0'), lock('8.0.1')), false)
  assert.equal(sharesPackages(lock('8.0.0'), { packages: {} }), false)
})

test('packages for development do not matter', () => {
  assert.equal(sharesPackages(lock('8.0.0', { dev: true }), lock('8.0.1')), true)
})
