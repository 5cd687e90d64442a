import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../../test/support/audit-context.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { createAccount } from '../../../../test/support/fixtures.ts'
import { joinMembers } from '../../../../test/support/membership.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { openReceiver } from '../../../../test/load/webhooks/receiver.ts'
import { loopbackGuard, startTestPusher, writeReports } from '../../../../test/load/webhooks/reports.ts'
import { endBlock, insertBlock } from '../../../identity/accounts/blocks.ts'
import type { Database } from '../../../platform/database/database.ts'
import { plaintextCipher, type FieldCipher } from '../../../platform/encryption/field-cipher.ts'
import { claimExactly, removeMember } from '../../../platform/membership/tables.ts'
import { addWebhook } from '../actions.ts'
import { OwnedSecretsCache } from '../encrypted-secrets.ts'
import { fenceCursors, readOwned } from './ownership.ts'
import { defaultIntervalsMs } from './pusher.ts'

const { database } = await createTestDatabase()

async function readPosition(id: string): Promise<number> {
  const { rows } = await database.query<{ seq: number }>(
    'select seq from webhook_cursors where webhook_id = $1',
    [id],
  )
  return rows[0]!.seq
}

const addMember = (id: string, seenIn = '0 s') =>
  database.query(
    `insert into members (id, role, host, seen_at) values ($1, 'worker', 'elsewhere:1', now() + $2::interval)`,
    [id, seenIn],
  )

test('a webhook that another process owned temporarily loses no report', async () => {
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  let failing = false
  const acknowledged = new Set<string>()
  receiver.answer = ({ eventId, path }) => {
    if (failing && path === '/taken') return { status: 500 }
    acknowledged.add(eventId)
    return { status: 200 }
  }
  const open = async (name: string) => {
    const accountId = await createAccount(database, `owned-${name}`)
    const { id } = await addWebhook({ database, guard: loopbackGuard }, accountId, {
      url: `${receiver.url}/${name}`,
    })
    return { accountId, id }
  }
  const [taken, kept] = [await open('taken'), await open('kept')]
  const membership = joinMembers(database)
  const pusher = startTestPusher(database, {
    membership,
    intervalsMs: { refresh: 1_000, fetch: 10, save: 15, drain: 500 },
  })
  addCleanup(() => pusher.stop())
  await writeReports(database, taken.accountId, 1)
  await waitFor('its cursor', async () => (await readPosition(taken.id)) === 1)

  // The heartbeats stopped for long enough, and another process took over.
  await addMember('another')
  await database.query(`update members set seen_at = now() - interval '1 minute' where id = $1`, [
    membership.id,
  ])
  assert.equal((await claimExactly(database, 'another', 'webhook', [taken.id])).length, 1)
  await fenceCursors(database, [taken.id])
  failing = true
  await writeReports(database, taken.accountId, 5)
  await waitFor('pushes of a process that has lost ownership', () => receiver.arrivals.length >= 6)
  // The results that are saved together with these are discarded.
  await writeReports(database, kept.accountId, 1)
  await waitFor('its next save', async () => (await readPosition(kept.id)) === 1)

  failing = false
  // The other process stops, and the first claims the webhook again before it has noticed the loss.
  await removeMember(database, 'another')
  await claimExactly(database, membership.id, 'webhook', [taken.id, kept.id])
  await writeReports(database, taken.accountId, 1)
  await waitFor('all reports to be acknowledged', () => acknowledged.size === 8)
})

test('the webhook of a blocked account pauses with the next refresh, and loses no report until the unblock', async () => {
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const acknowledged = new Set<string>()
  receiver.answer = ({ eventId }) => {
    acknowledged.add(eventId)
    return { status: 200 }
  }
  const accountId = await createAccount(database, 'paused')
  const { id } = await addWebhook({ database, guard: loopbackGuard }, accountId, { url: receiver.url })
  const refreshes = countRefreshes(database)
  const pusher = startTestPusher(refreshes.database, {
    intervalsMs: { refresh: 50, fetch: 10, save: 15, drain: 500 },
  })
  addCleanup(() => pusher.stop())
  await writeReports(database, accountId, 1)
  await waitFor('its first report', () => acknowledged.size === 1)

  await insertBlock(database, 'paused', createTestAuditContext(), { backlog: 'close' })
  // A refresh in progress can miss the block; the next one sees it, and has ended when another begins.
  const refreshesBefore = refreshes.begun()
  await waitFor('a refresh after the block', () => refreshes.begun() >= refreshesBefore + 2)
  // Refreshes are normally a second apart, so the pause comes within two seconds of the block.
  assert.ok(defaultIntervalsMs.refresh <= 1_000)
  await writeReports(database, accountId, 3)
  const other = await createAccount(database, 'not-paused')
  await addWebhook({ database, guard: loopbackGuard }, other, { url: receiver.url })
  await writeReports(database, other, 1)
  await waitFor('the report of another account', () => acknowledged.size === 2)
  assert.equal(await readPosition(id), 1)

  await endBlock(database, 'paused', createTestAuditContext())
  await waitFor('the reports of the pause', () => acknowledged.size === 5)
})

/** Counts how often the pusher begins to read its webhooks. */
function countRefreshes(pool: Database): { readonly database: Database; readonly begun: () => number } {
  let begun = 0
  const send = pool.query.bind(pool) as (...args: unknown[]) => unknown
  const query = (...args: unknown[]): unknown => {
    if ((args[0] as { name?: string }).name === 'read-owned-webhooks') begun++
    return send(...args)
  }
  const countingPool = new Proxy(pool, {
    get(target, name) {
      if (name === 'query') return query
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  return { database: countingPool, begun: () => begun }
}

test('the secret of an owned webhook is decrypted again only when it has changed', async () => {
  const accountId = await createAccount(database, 'owned-secrets')
  const ids: string[] = []
  for (let nth = 0; nth < 3; nth++)
    ids.push(
      (await addWebhook({ database, guard: loopbackGuard }, accountId, { url: 'http://127.0.0.1/' })).id,
    )
  const decrypted: string[] = []
  const cipher: FieldCipher = {
    ...plaintextCipher,
    decrypt: (_database, stored, associatedData) => {
      decrypted.push(`${String(associatedData[2])} ${stored}`)
      return Promise.resolve(`clear ${stored}`)
    },
  }
  const secrets = new OwnedSecretsCache()
  const read = async () => {
    const owned = await readOwned(database, ids, cipher, undefined, secrets)
    return owned.map(({ secret }) => secret)
  }
  const first = await read()
  assert.equal(decrypted.length, 3)
  assert.deepEqual(await read(), first)
  assert.equal(decrypted.length, 3)
  // A secret that is copied to another row does not decrypt there.
  await database.query(
    'update webhooks w set secret = o.secret from webhooks o where w.id = $1 and o.id = $2',
    [ids[0], ids[1]],
  )
  await read()
  assert.deepEqual(
    decrypted.slice(3).map((entry) => entry.split(' ')[0]),
    [ids[0]],
  )
})
