/**
 * The pair of PostgreSQL servers of the chaos run: an acknowledged commit survives its server, and a server
 * that may lack one is never promoted. Uses its own service set, because it kills servers.
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import {
  databaseRoles,
  ensureServices,
  killService,
  leaveDatabaseStandby,
  promoteDatabase,
  rejoinDatabaseStandby,
  wipeServices,
} from '../../../tools/engines/index.ts'
import { query } from '../support/processes/scratch-database.ts'
import { waitFor } from '../support/wait.ts'

suite('a pair of PostgreSQL servers', () => {
  const folderBefore = process.env.POSTERN_SERVICES_DIR
  let url = ''

  before(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-pair-'))
    chmodSync(directory, 0o755) // PostgreSQL runs as another user
    process.env.POSTERN_SERVICES_DIR = directory
    url = (await ensureServices({ standby: true })).databaseUrl
    await query(url, 'create table notes (text text)')
  })

  after(async () => {
    await wipeServices()
    if (folderBefore === undefined) delete process.env.POSTERN_SERVICES_DIR
    else process.env.POSTERN_SERVICES_DIR = folderBefore
  })

  const write = (text: string): Promise<unknown> => query(url, 'insert into notes values ($1)', [text])
  const texts = async (): Promise<string[]> =>
    (await query<{ text: string }>(url, 'select text from notes order by text')).map(({ text }) => text)
  const reachable = (): Promise<boolean> =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    )

  test('an acknowledged commit survives its server, and the address follows the new primary', async () => {
    const { primary, standby } = databaseRoles()
    await write('a')
    await killService(primary)
    await promoteDatabase()
    await waitFor('the new primary', reachable)
    assert.deepEqual(await texts(), ['a'])
    assert.deepEqual(databaseRoles(), { primary: standby, standby: primary })
    await write('b')
  })

  test('a killed primary rejoins as the standby, and can be promoted again', async () => {
    await rejoinDatabaseStandby()
    await write('c')
    await killService(databaseRoles().primary)
    await promoteDatabase()
    await waitFor('the new primary', reachable)
    assert.deepEqual(await texts(), ['a', 'b', 'c'])
    await rejoinDatabaseStandby()
  })

  test('commits wait for a failed standby until it is removed and can no longer be promoted', async () => {
    await killService(databaseRoles().standby)
    let isCommitted = false
    const writing = write('d').then(() => (isCommitted = true))
    await waitFor('the commit to wait', async () => {
      const rows = await query<{ n: number }>(
        url,
        `select count(*)::int as n from pg_stat_activity where wait_event = 'SyncRep'`,
      )
      return rows[0]!.n === 1
    })
    assert.equal(isCommitted, false)
    await leaveDatabaseStandby()
    await writing
    await assert.rejects(promoteDatabase(), /may lack acknowledged commits/)
    await rejoinDatabaseStandby()
    assert.deepEqual(await texts(), ['a', 'b', 'c', 'd'])
  })
})
