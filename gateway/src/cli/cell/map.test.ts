import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'

const { database, url } = await createTestDatabase()
const environment = { POSTERN_DATABASE_URL: url, POSTERN_TOKEN_SECRET: 'x'.repeat(32), POSTERN_CELL: 'K7' }

test('prints every account with its cell', async () => {
  await createAccount(database, 'shop-2')
  await createAccount(database, 'shop-1')
  const { stdout } = await runCommand(environment, 'cell', 'map')
  assert.equal(stdout, 'shop-1 K7\nshop-2 K7\n')
  const { stdout: json } = await runCommand(environment, 'cell', 'map', '--json')
  assert.deepEqual(JSON.parse(json), {
    items: [
      { clientId: 'shop-1', cell: 'K7' },
      { clientId: 'shop-2', cell: 'K7' },
    ],
  })
})

test('refuses a client id that a map file cannot contain', async () => {
  await createAccount(database, 'two words')
  const { exitCode, stdout, stderr } = await runCommand(environment, 'cell', 'map')
  assert.deepEqual([exitCode, stdout], [1, ''])
  assert.match(stderr, /client id 'two words' is not allowed in a map file/)
})
