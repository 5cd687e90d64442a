/** Columns with secrets: each database role can read only the columns that it needs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { openRolePools, createNoOpUpdate } from '../../../test/support/engines/use-database-users.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createAccountDirectory } from '../../identity/accounts/directory.ts'
import { createSchedulingSettingsTable } from '../../identity/accounts/scheduling-settings.ts'
import { databaseRoles, type DatabaseRole } from '../../identity/operators/table-rights.ts'
import { readSendersFrom, readSendersByValue } from '../../trust/senders/queries.ts'

const { url, database } = await createTestDatabase()
const { pools, denied } = await openRolePools(url)

/** Roles with read access. Add a new column with the roles that need it. */
const readers: Readonly<Record<string, readonly DatabaseRole[]>> = {
  // Keyed hashes of recipients; commands erase them.
  'batch_pages.hashes': ['api', 'worker', 'cli'],
  'credentials.hash': ['api', 'cli'],
  'data_keys.wrapped': ['api', 'worker', 'cli'],
  'operator_keys.hash': [],
  'operator_logins.password_hash': [],
  // Encrypted; commands re-encrypt it under a new key.
  'operator_logins.totp_secret': ['cli'],
  'operator_recovery_codes.hash': [],
  // Hash of 256 random bits, by which a session is found.
  'operator_sessions.hash': ['cli'],
  // The API verifies carrier requests with them.
  'routes.options': ['api', 'worker', 'cli'],
  'sender_changes.proof_reference': ['cli'],
  'senders.proof_reference': ['cli'],
  'token_keys.salt': ['api'],
  'webhooks.encrypted_url': ['api', 'worker', 'cli'],
  'webhooks.previous_secret': ['api', 'worker', 'cli'],
  'webhooks.secret': ['api', 'worker', 'cli'],
}

/** Columns without secrets. */
const harmless =
  /^audit_|\.(password_at|password_initial|password_by_key|totp_at|totp_step|token_epoch|fenced_tokens)$/

test('every column with the name of a secret is listed', async () => {
  const { rows } = await database.query<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
        and a.attnum > 0 and not a.attisdropped
        and a.attname ~ '(hash|secret|encrypted|salt|password|wrapped|options|reference|totp|tokens)' order by 1`,
  )
  const found = rows.map(({ name }) => name).filter((name) => !harmless.test(name))
  assert.deepEqual(found, Object.keys(readers).sort())
})

test('each role is refused the secrets that it does not use', async () => {
  for (const [name, allowed] of Object.entries(readers)) {
    const [table, column] = name.split('.') as [string, string]
    // `admin` inherits the rights of `cli`.
    for (const role of databaseRoles.filter((candidate) => candidate !== 'admin')) {
      const statement = `select ${column} from ${table}`
      if (allowed.includes(role)) await pools[role].query(statement)
      else await denied(role, statement, `select * from ${table}`, `select t::text from ${table} t`)
    }
  }
})

test('processes read accounts and senders without their secrets', async () => {
  const id = await createAccount(database, 'least')
  const values = [id, 'number', '0212345678']
  await database.query(
    `insert into senders (account_id, kind, value, state, version) values ($1, $2, $3, 'active', 1)`,
    values,
  )
  const { signal } = new AbortController()
  const accounts = createAccountDirectory(pools.api, silentLog)
  const scheduling = createSchedulingSettingsTable(pools.worker, silentLog)
  await Promise.all([accounts.startLoaded(signal), scheduling.startLoaded(signal)])
  accounts.stop()
  scheduling.stop()
  assert.equal(accounts.value.byClientId.get('least')?.id, id)
  assert.ok(scheduling.value.has(id))
  for (const role of ['api', 'worker'] as const) {
    assert.equal((await readSendersFrom(pools[role], '0')).senders.length, 1)
    assert.equal((await readSendersByValue(pools[role], ['0212345678'])).senders.length, 1)
  }
})

test('a worker can change the state and secrets of a webhook, but not its account or settings', async () => {
  for (const column of ['enabled', 'secret', 'previous_secret'])
    await pools.worker.query(createNoOpUpdate('webhooks', column))
  await denied(
    'worker',
    ...['account_id', 'name', 'url_set_by', 'acknowledgement', 'per_second'].map((column) =>
      createNoOpUpdate('webhooks', column),
    ),
  )
})
