/** `cell map` and `token-key` print the same over the admin API as on the database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'

const admin = await startBothWays()
const { database, compare, onDatabase, overHttp, as } = admin

test('the map contains every account of the cell', async () => {
  for (const id of ['shop', 'Shop', 'a-1']) await createAccount(database, id)
  for (let n = 0; n < 250; n += 1) await createAccount(database, `many-${n}`)
  const { items } = (await compare(['cell', 'map'])) as { items: { clientId: string }[] }
  assert.equal(new Set(items.map(({ clientId }) => clientId)).size, 253)
  await createAccount(database, 'a b')
  const local = await onDatabase('cell', 'map')
  assert.deepEqual(await overHttp('cell', 'map'), local)
  assert.match(local.stderr, /client id 'a b' is not allowed in a map file/)
})

test('token keys are listed page by page, the same over both backends', async () => {
  await onDatabase('token-key', 'rotate')
  await onDatabase('token-key', 'rotate', '--leaked')
  const { items: keys } = (await compare(['token-key', 'list'])) as { items: { id: number; state: string }[] }
  assert.equal(keys.length, 3)
  let next: string | null = null
  const states: string[] = []
  do {
    const cursor: string = next === null ? '' : `&cursor=${next}`
    const { body } = await admin.call('viewer', 'GET', `/admin/v1/token-keys?limit=1${cursor}`)
    const page = body.data as unknown as { items: { state: string }[]; next: string | null }
    states.push(...page.items.map(({ state }) => state))
    next = page.next
  } while (next !== null)
  assert.deepEqual(
    states,
    keys.map(({ state }) => state),
  )
})

test('a forged cursor is refused', async () => {
  const cursor = Buffer.from(JSON.stringify([2 ** 53 - 1])).toString('base64url')
  const { status } = await admin.call('viewer', 'GET', `/admin/v1/token-keys?cursor=${cursor}`)
  assert.equal(status, 400)
})

test('only an admin can rotate a key, and it is recorded', async () => {
  const newest = async (): Promise<number> => {
    const { stdout } = await onDatabase('token-key', 'list', '--json')
    return (JSON.parse(stdout) as { items: { id: number }[] }).items.at(-1)!.id
  }
  const before = await newest()
  const refused = await as('operator', 'token-key', 'rotate')
  assert.equal(refused.exitCode, 1)
  assert.match(refused.stderr, /lacks the right/)
  assert.equal(await newest(), before)
  const { stdout } = await overHttp('token-key', 'rotate', '--json')
  const document = JSON.parse(stdout) as { id: number }
  assert.deepEqual(Object.keys(document), ['id', 'signsFrom', 'earlierRefused'])
  assert.equal(await newest(), document.id)
  const [row] = await listAudit(database, { action: 'token-key rotate', limit: 1 })
  assert.deepEqual([row!.actor, row!.result, row!.target], ['admin', 'done', `token key ${document.id}`])
})
