/**
 * A number that was ported: the carrier that refuses it, or reports it, names another one, and the message is sent there,
 * once, by the next try of its step. Over MM7, to simulated carriers that share no code with the gateway.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startMm7 } from '../../../../simulator/src/mm7.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { reportCodes, sender } from '../../../test/support/fixtures.ts'
import { openPipeline } from '../../../test/support/pipeline/pipeline.ts'
import { testRoute } from '../../../test/support/routes.ts'
import type { RichStep } from '../../channels/channel.ts'
import { replaceRanges } from '../../carriers/routes/ranges.ts'
import type { Route } from '../../carriers/routes/route.ts'

const pipeline = await openPipeline()
const { database } = pipeline
const attemptsOf = (msgKey: string) => pipeline.attemptsOf(msgKey)
const token = 'token-of-the-reports'
const [kt, skt] = await Promise.all([startCarrier('kt'), startCarrier('skt')])

async function startCarrier(dialect: 'kt' | 'skt') {
  const reportUrl = `${pipeline.inboundUrl}/${dialect}/${token}`
  const carrier = await startMm7({ dialect, vaspId: 'vasp', reportUrl })
  addCleanup(() => carrier.close())
  return carrier
}

function addRoute(id: string, carrier: string, overrides: Partial<Route> = {}): Promise<void> {
  const dialect = id.startsWith('skt') ? 'skt' : 'kt'
  const { port } = dialect === 'skt' ? skt : kt
  const url = `http://127.0.0.1:${port}${dialect === 'skt' ? '/mmsr41/mm7' : '/'}`
  const link = {
    vaspId: 'vasp',
    vasId: id,
    partnerId: 'partner',
    webhookToken: token,
    skt: { relayId: '0002' },
  }
  const route = testRoute(id, { channels: ['mms'], protocol: 'mm7', carriers: [carrier], ...overrides })
  return pipeline.addRoute({ ...route, options: { dialect, url, ...link, ...overrides.options } })
}

await addRoute('kt', '10002', { accounts: [1, 2] })
await addRoute('skt', '10001', { accounts: [1, 2] })
await addRoute('kt-alone', '10002', { accounts: [11] })
// A route for every carrier with the login of kt; the new carrier of the number has a route for other accounts only.
await addRoute('kt-any', '10002', { accounts: [13], carriers: [], options: { vasId: 'kt' } })
// Two that send every ported number to each other.
await addRoute('kt-left', '10002', { accounts: [12], options: { portedCodes: { 4302: '10001' } } })
await addRoute('kt-right', '10001', { accounts: [12], options: { portedCodes: { 4302: '10002' } } })
// All recipients are in number ranges of KT.
await replaceRanges(database, [{ prefix: '010', carrier: '10002' }])
await pipeline.startWorker()

const mms: RichStep = { channel: 'mms', content: { from: sender, title: 'Hello', text: 'Hello there' } }
const send = (accountId: number, to: string): Promise<string> => pipeline.send(accountId, to, mms)

async function getCarrier(msgKey: string): Promise<string | undefined> {
  const text = 'select carrier from reports where msg_key = $1'
  return (await database.query<{ carrier: string }>(text, [msgKey])).rows[0]?.carrier
}

/** Counts the accepted submissions at KT and at SKT. */
const received = (to: string): number[] => [kt, skt].map((carrier) => carrier.submissions(to).length)

suite('a ported number', () => {
  test('refused by its range carrier, is delivered by the new one, also next time', async () => {
    const to = '01012340080'
    const first = await send(1, to)
    assert.deepEqual(await reportCodes(database, first), ['10000'])
    assert.deepEqual(await attemptsOf(first), ['1 kt refused 4302', '2 skt accepted 1000'])
    assert.equal(await getCarrier(first), '10001')
    assert.deepEqual(await attemptsOf(await send(1, to)), ['1 skt accepted 1000'])
    assert.deepEqual(received(to), [0, 2], 'each was accepted once')
    await pipeline.balances(1, 2)
  })

  test('accepted and then reported as ported, is delivered by the other carrier', async () => {
    const to = '01012340082'
    const msgKey = await send(2, to)
    assert.deepEqual(await reportCodes(database, msgKey), ['10000'])
    assert.deepEqual(await attemptsOf(msgKey), ['1 kt accepted 4302', '2 skt accepted 1000'])
    assert.deepEqual(received(to), [1, 1])
  })

  test('fails as an unknown number without a route to the new carrier', async () => {
    const msgKey = await send(11, '01055550080')
    assert.deepEqual(await reportCodes(database, msgKey), ['23001'])
    assert.deepEqual(await attemptsOf(msgKey), ['1 kt-alone refused 4302'])
  })

  test('reported as ported, is not resent if the new routes serve other accounts', async () => {
    const to = '01077770082'
    const msgKey = await send(13, to)
    assert.deepEqual(await reportCodes(database, msgKey), ['23001'])
    assert.deepEqual(await attemptsOf(msgKey), ['1 kt-any accepted 4302'])
    assert.deepEqual(received(to), [1, 0])
  })

  test('that carriers report to each other is tried three times', async () => {
    const msgKey = await send(12, '01066660080')
    assert.deepEqual(await reportCodes(database, msgKey), ['23001'])
    const tries = ['1 kt-left refused 4302', '2 kt-right refused 4302', '3 kt-left refused 4302']
    assert.deepEqual(await attemptsOf(msgKey), tries)
    await pipeline.balances(12, 1)
  })
})
