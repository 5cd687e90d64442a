/** Only operators who may see whole numbers find a sender by its mobile number, over both backends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createAccount } from '../../../test/support/fixtures.ts'

const { url, keys, database, compare, as } = await startBothWays()
await createAccount(database, 'shop')
const onDatabase = (...args: string[]) =>
  runCommand({ POSTERN_DATABASE_URL: url, POSTERN_OPERATOR_KEY: keys.viewer, POSTERN_ADMIN_URL: '' }, ...args)

test('a viewer shows a sender by a non-mobile number, but not by a mobile one', async () => {
  for (const value of ['01023456789', '0212345678']) await as('admin', 'sender', 'add', 'shop', value)
  for (const way of [onDatabase, (...args: string[]) => as('viewer', ...args)]) {
    assert.equal((await way('sender', 'show', 'shop', '02-1234-5678')).exitCode, 0)
    for (const value of ['010-2345-6789', '01099996789']) {
      const { exitCode, stderr } = await way('sender', 'show', 'shop', value)
      assert.equal(exitCode, 1)
      assert.match(stderr, /lacks the right 'reveal'/)
    }
  }
})

test('an operator with the right shows, approves, rejects and blocks a sender by its mobile number', async () => {
  const proof = ['--proof-kind', 'phone-check', '--proof-reference', 'call 7']
  for (const args of [
    ['show', 'shop', '01023456789'],
    ['approve', 'shop', '01023456789', ...proof],
    ['reject', 'shop', '01023456789', '--reason', 'wrong holder'],
    ['block', 'shop', '01023456789', '--reason', 'stolen'],
  ]) {
    assert.match((await as('support', 'sender', ...args)).stderr, /lacks the right 'reveal'/)
    const { exitCode, stderr } = await as('operator', 'sender', ...args)
    assert.equal(exitCode, 0, stderr)
  }
  const shown = (await compare(['sender', 'show', 'shop', '01023456789'])) as { state: string }
  assert.equal(shown.state, 'blocked')
})
