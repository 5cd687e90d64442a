import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { isInFlight, readAccountLedger, reportCodes } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import { serviceUrl } from '../../../test/support/engines/services.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { immediateDeadlines } from '../../../test/support/pipeline/deadlines.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { startIntake } from '../../pipeline/intake/intake.ts'
import { startDeadlines } from '../../pipeline/settle/deadlines.ts'
import { createOutbox } from '../../pipeline/scheduling/outbox.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { setSwitches } from '../switches.ts'
import { updateProtection } from './protection.ts'

const { database, url } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
await upsertRoute(database, {
  id: 'texts',
  channels: ['sms'],
  protocol: 'sandbox',
  options: {},
  priority: 100,
  partsPerSecond: 0,
  enabled: true,
})
const queue = topology.getQueue('texts')
await broker.declare([queue])
const stage = {
  ...(await openTestPlacement(database)),
  broker,
  topology,
  database,
  metrics: testMetrics(),
  log: silentLog,
}
const intake = startIntake({ ...stage, stepTtlSeconds: 60, retentionDays: 30 })
addCleanup(() => intake.stop())
const outbox = createOutbox({ ...stage, publisher: broker.publisher, stepTtlSeconds: 60 })
await setSwitches(database, ['link-allowed', 'recipient-velocity'], true, createTestAuditContext())
const api = await createTestServer({ database, broker, topology })
const account = await api.account()
await updateProtection(database, account.id, {
  links: 'no-shorteners',
  onSuspicion: 'hold',
  recipientPerHour: 3,
})
await api.trust.cache.refresh()
const environment = {
  POSTERN_DATABASE_URL: url,
  POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
  POSTERN_TOKEN_SECRET: 'a secret of the tests that is long enough',
}
async function held<Json>(...args: string[]): Promise<Json> {
  const { exitCode, stdout, stderr } = await runCommand(environment, 'held', ...args, '--json')
  assert.equal(exitCode, 0, stderr)
  return JSON.parse(stdout) as Json
}
async function send(text: string, query = ''): Promise<string> {
  const { body } = await api.call(account, 'POST', `/v1/send/sms${query}`, {
    from: '0234567890',
    to: '01012345678',
    text,
  })
  assert.equal(body.code, 'A000', body.result)
  return body.msgKey as string
}
async function sendHeld(text: string): Promise<string> {
  const msgKey = await send(text)
  await waitFor('intake', () => isInFlight(database, msgKey))
  await outbox.releaseStranded()
  return msgKey
}
interface Listed {
  readonly items: { readonly msgKey: string; readonly rule: string; readonly account: string }[]
}

test('a held message is listed, released by an operator, and then sent', async () => {
  const msgKey = await sendHeld('see bit.ly/abc')
  assert.equal(await broker.depth(queue), 0)
  const { items: listed } = await held<Listed>('list', '--account', account.clientId)
  assert.deepEqual(
    listed.map(({ msgKey: key, rule, account: clientId }) => [key, rule, clientId]),
    [[msgKey, 'link-allowed', account.clientId]],
  )
  assert.deepEqual(await held('release', msgKey, '--reason', 'known'), { decided: 1, notHeld: 0 })
  await outbox.releaseStranded()
  const [job] = (await testBroker.drain(queue, 1)) as RouteJob[]
  assert.equal(job!.msgKey, msgKey)
  assert.deepEqual(await held('release', msgKey, '--reason', 'known'), { decided: 0, notHeld: 1 })
})

test('a held message that is refused ends with one report', async () => {
  const msgKey = await sendHeld('see bit.ly/abc')
  assert.deepEqual(await held('refuse', msgKey, '--reason', 'phishing'), { decided: 1, notHeld: 0 })
  assert.deepEqual(await reportCodes(database, msgKey), ['23012'])
  assert.deepEqual(await held<Listed>('list'), { items: [] })
  assert.equal((await readAccountLedger(database, account.id)).gap, 0)
})

test('a dry run names the rule that would hold the message, and holds nothing', async () => {
  const { body } = await api.call(account, 'POST', '/v1/send/sms?dryRun=true', {
    from: '0234567890',
    to: '01099998888',
    text: 'see bit.ly/abc',
  })
  assert.equal(body.code, 'A000')
  const [first] = (body.data as { destinations: { ruleEffects: Record<string, unknown>[] }[] }).destinations
  const [{ rule, effect, step, notBefore } = {}, ...others] = first!.ruleEffects
  assert.deepEqual([rule, effect, step, notBefore, others], ['link-allowed', 'held', null, null, []])
  assert.deepEqual(await held<Listed>('list'), { items: [] })
})

test('messages above the limit per number are held, not refused', async () => {
  await send('third')
  const msgKey = await sendHeld('fourth')
  const { items: listed } = await held<Listed>('list', '--rule', 'recipient-velocity')
  assert.deepEqual(
    listed.map(({ msgKey: key }) => key),
    [msgKey],
  )
})

test('an undecided held message ends at its deadline without sending a later step', async () => {
  const sms = { from: '0234567890', text: 'see bit.ly/abc' }
  const { body } = await api.call(account, 'POST', '/v1/send/omni', {
    destinations: [{ to: '01011112222' }],
    messageFlow: [{ sms }, { sms }],
  })
  assert.equal(body.code, 'A000', body.result)
  const [sent] = (body.data as { destinations: { msgKey: string }[] }).destinations
  const { msgKey } = sent!
  await waitFor('intake', () => isInFlight(database, msgKey))
  await testBroker.drain(queue, await broker.depth(queue))
  await database.query(`update in_flight set due_at = now() - interval '1 second' where msg_key = $1`, [
    msgKey,
  ])
  const deadlines = startDeadlines({ ...stage, routes: { value: [] }, outbox, ...immediateDeadlines })
  await waitFor('the end of its first step', async () => {
    const first = await database.query('select from in_flight where msg_key = $1 and step = 1', [msgKey])
    return first.rowCount === 0
  })
  await deadlines.stop()
  await outbox.releaseStranded()
  assert.equal(await broker.depth(queue), 0)
  assert.deepEqual(await reportCodes(database, msgKey), ['22000'])
  const waiting = await database.query('select from waiting where msg_key = $1', [msgKey])
  assert.equal(waiting.rowCount, 0)
  assert.equal((await readAccountLedger(database, account.id)).gap, 0)
})

test('a scheduled message can be cancelled while it is held, and after its release', async () => {
  const inAnHour = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString())
  for (const release of [false, true]) {
    const { body } = await api.call(account, 'POST', `/v1/send/sms?sendAt=${inAnHour}`, {
      from: '0234567890',
      to: '01033334444',
      text: 'see bit.ly/abc',
    })
    assert.equal(body.code, 'A000', body.result)
    const msgKey = body.msgKey as string
    await waitFor('intake', () => isInFlight(database, msgKey))
    if (release) await held('release', msgKey, '--reason', 'known')
    assert.equal((await api.call(account, 'DELETE', `/v1/send/${msgKey}`)).body.code, 'A000')
    assert.deepEqual(await reportCodes(database, msgKey), ['90010'])
  }
  assert.equal((await readAccountLedger(database, account.id)).gap, 0)
})
