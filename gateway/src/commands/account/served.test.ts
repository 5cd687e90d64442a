/**
 * A command that changes an account works only where the account is served: in the old cell of a moved account, and during
 * the pause of a move, it changes nothing and says where to run it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { a, b, held, moved, newAccount, runIn, testInvocation } from '../../../test/support/two-cells.ts'
import { pauseAccount, resumeAccount } from '../../accounts/moves.ts'
import { createWebhookId, createSecret, webhookDefaults } from '../../webhooks/webhook.ts'
import { insertWebhook } from '../../webhooks/queries.ts'
import { addSender, changeState } from '../sender/change.ts'
import { importFile } from '../sender/import.ts'
import { setCaps, setProtection } from '../protection/protection.ts'
import { setAccountTrust } from '../trust/account.ts'
import { setAdvertising } from '../trust/advertising.ts'
import { changeQuietHours } from '../trust/quiet-hours.ts'
import { removeWebhook, setWebhook } from '../webhook/change.ts'
import { revokeAccountTokens } from './access.ts'
import { blockAccount, unblockAccount } from './block.ts'
import { addKey, listKeys, revokeKey } from './key.ts'
import { changePassword, rotateKey } from './rotate.ts'
import { setAccount } from './set.ts'
import type { Result } from '../result.ts'

const folder = await mkdtemp(join(tmpdir(), 'postern-'))

async function commandsOf(clientId: string, id: number): Promise<Record<string, () => Promise<Result>>> {
  const { json } = await runIn(a, () => addKey(testInvocation(), clientId, { name: '' }))
  const { keyId } = json as { keyId: string }
  assert.equal(
    (await runIn(a, () => addSender(testInvocation(), clientId, '0234567890', { kind: 'number' }))).error,
    '',
  )
  const webhookId = createWebhookId(new Date())
  const settings = { ...webhookDefaults, url: 'https://example.com/hook', secret: createSecret() }
  await insertWebhook(a.database, { ...settings, id: webhookId, accountId: id }, 20)
  const file = join(folder, `${clientId}.csv`)
  await writeFile(file, `clientId,kind,value\n${clientId},number,0234567899\n`)
  return {
    'key add': () => addKey(testInvocation(), clientId, { name: '' }),
    'key rotate': () => rotateKey(testInvocation(), clientId, keyId, {}),
    'key revoke': () => revokeKey(testInvocation(), clientId, keyId),
    password: () => changePassword(testInvocation(), clientId, {}),
    unblock: () => unblockAccount(testInvocation(), clientId),
    block: () => blockAccount(testInvocation(), clientId, { wait: false }),
    'revoke-tokens': () => revokeAccountTokens(testInvocation(), clientId),
    set: () => setAccount(testInvocation(), clientId, { weight: 3 }),
    'sender add': () => addSender(testInvocation(), clientId, '0234567891', { kind: 'number' }),
    'sender block': () => changeState(testInvocation(), clientId, '0234567890', 'block', { kind: 'number' }),
    'sender import': () => importFile(testInvocation(), file, {}, () => undefined),
    'protection set': () => setProtection(testInvocation(), clientId, { countries: ['DE'] }),
    'protection cap': () => setCaps(testInvocation(), clientId, { class: 'all', day: 1 }),
    'trust account': () => setAccountTrust(testInvocation(), clientId, { sandbox: true }),
    'trust advertising': () => setAdvertising(testInvocation(), clientId, { advertiser: true }),
    'trust quiet-hours': () => changeQuietHours(testInvocation(), { account: clientId, night: 'hold' }),
    'trust quiet-hours --remove': () =>
      changeQuietHours(testInvocation(), { account: clientId, remove: true }),
    'webhook set': () => setWebhook(testInvocation(), webhookId, { url: 'https://example.com/other' }),
    'webhook remove': () => removeWebhook(testInvocation(), webhookId),
  }
}

/** All that the commands would change. */
async function rowsOf(id: number): Promise<unknown> {
  const result = await a.database.query(
    `select (select to_jsonb(a) - 'moving_until' - 'moving_by' from accounts a where id = $1) as account,
            (select jsonb_agg(c order by id) from credentials c where account_id = $1) as credentials,
            (select jsonb_agg(s order by id) from senders s where account_id = $1) as senders,
            (select jsonb_agg(w order by id) from webhooks w where account_id = $1) as webhooks,
            (select to_jsonb(t) from account_trust t where account_id = $1) as trust,
            (select to_jsonb(p) from account_protection p where account_id = $1) as protection,
            (select jsonb_agg(c order by class) from account_caps c where account_id = $1) as caps,
            (select to_jsonb(t) from account_advertising t where account_id = $1) as advertising,
            (select jsonb_agg(q order by channel) from quiet_hours q where account_id = $1) as hours`,
    [id],
  )
  return result.rows[0]
}

test('in the cell that an account has left, commands change nothing and name the cell that serves it', async () => {
  const { id, clientId } = await newAccount(a)
  const commands = await commandsOf(clientId, id)
  await moved(clientId, a, b)
  const before = await rowsOf(id)
  for (const [name, command] of Object.entries(commands).filter(([one]) => !one.endsWith('block'))) {
    const { error } = await runIn(a, command)
    assert.match(error, /is in cell B1; run this command with the settings of that cell/, name)
  }
  assert.deepEqual(await rowsOf(id), before)
  // The old cell still sends what it accepted: stops work there, and say that the other cell needs them too.
  for (const name of ['block', 'sender block']) {
    const { error, lines } = await runIn(a, commands[name]!)
    assert.equal(error, '', name)
    assert.match(lines.join('\n'), /is in cell B1: this stops only what this cell still sends/, name)
  }
  // What only reads works in both.
  assert.equal((await runIn(a, () => listKeys(testInvocation(), clientId))).error, '')
  assert.equal((await runIn(a, () => setAccountTrust(testInvocation(), clientId, {}))).error, '')
  assert.equal((await runIn(b, () => blockAccount(testInvocation(), clientId, { wait: false }))).error, '')
})

test('while a move holds the account, commands change nothing; afterwards they do', async () => {
  const account = await newAccount(a)
  const { id, clientId } = account
  const commands = await commandsOf(clientId, id)
  assert.ok(await pauseAccount(a.database, held(account)))
  const before = await rowsOf(id)
  for (const [name, command] of Object.entries(commands)) {
    const { error } = await runIn(a, command)
    assert.match(error, /is being moved to another cell; run this command again in a few seconds/, name)
  }
  assert.deepEqual(await rowsOf(id), before)
  await resumeAccount(a.database, held(account))
  for (const name of ['block', 'sender block', 'key revoke'])
    assert.equal((await runIn(a, commands[name]!)).error, '', name)
})
