import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rcsSubmission, smsBody } from '../../../../test/support/carriers/maap.ts'
import {
  countOf,
  nextReference,
  openMaapStage,
  submitTo,
} from '../../../../test/support/carriers/maap-simulator.ts'
import { assertWithin, waitFor } from '../../../../test/support/wait.ts'
import { createConnector } from '../registry.ts'

test('waits for the pause after a refused login and refuses no message', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap-kt' })
  const { context, events, lines, linkFailures } = stage.record
  events.length = 0
  const options = { ...stage.options, rcsSecret: 'wrong', loginPauseMs: 60_000 }
  const connector = createConnector('maap-kt', options, context)
  t.after(() => connector.stop(100))
  connector.start()
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      connector.submit(rcsSubmission(smsBody, { reference: nextReference() })),
    ),
  )
  for (const outcome of outcomes)
    assert.deepEqual([outcome.kind, 'code' in outcome && outcome.code], ['unreachable', 'maap:token-70008'])
  assert.deepEqual(events, ['account-refused'])
  assert.equal(connector.linked, false)
  assert.deepEqual(linkFailures, ['kt-relay refuses the login: 70008'])
  assert.ok(lines.every(({ fields, text }) => !`${JSON.stringify(fields)}${text}`.includes('wrong')))
})

test('a stop does not wait for a file store that does not respond', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap' })
  let opened = 0
  const connector = await stage.open({
    openFile: () => {
      opened++
      return new Promise(() => undefined)
    },
  })
  const content = { standalone: { title: 't', text: 'x', media: 'maapfile://a' } }
  void connector.submit(rcsSubmission({ ...smsBody, formatId: 'SMwThT00', content }, {}))
  await waitFor('the file', () => opened === 1)
  const started = performance.now()
  await connector.stop(100)
  assertWithin('the stop', performance.now() - started, 5_000)
})

test('the carrier of a ported number is remembered', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap' })
  for (const misses of [2, 2, 2]) {
    const outcome = await submitTo(stage, '0063')
    assert.ok(outcome.kind === 'accepted' && outcome.carrier === '10003')
    assert.equal(countOf(stage, 'not-subscriber'), misses)
  }
  assert.equal(stage.hosts.get('skt')!.stats().accepted, 0)
})

test('a number that no carrier knows ends as no-subscriber', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap', options: { codes: { '55817': 'not-subscriber' } } })
  const outcome = await submitTo(stage, '0008')
  assert.ok(outcome.kind === 'refused' && outcome.cause === 'no-subscriber')
  assert.equal(countOf(stage, 'not-subscriber'), 3)
})

test('subscribers of other hosts get their messages while a host is down', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap' })
  await stage.hosts.get('skt')!.close()
  await waitFor('the loss to be noticed', async () => (await submitTo(stage, '0061')).kind === 'unreachable')
  const outcome = await submitTo(stage, '0062')
  assert.ok(outcome.kind === 'accepted' && outcome.carrier === '10002')
  assert.equal((await submitTo(stage, '0061')).kind, 'unreachable')
  assert.equal(stage.connector.linked, true)
})

test('a submission without a response is repeated at the same host', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap', options: { responseTimeoutMs: 300 } })
  const skt = stage.hosts.get('skt')!
  const submission = rcsSubmission({ ...smsBody, to: '01012340001' }, { reference: nextReference() })
  skt.pause()
  assert.equal((await stage.connector.submit(submission)).kind, 'unknown')
  skt.resume()
  await waitFor('the delayed submission', () => skt.stats().accepted === 1)
  const repeated = await stage.connector.submit(submission)
  assert.ok(repeated.kind === 'accepted' && repeated.carrier === '10001')
  const others = ['kt', 'lgu'].map((name) => stage.hosts.get(name as 'kt')!.stats().accepted)
  assert.deepEqual([skt.stats().accepted, ...others], [1, 0, 0])
})
