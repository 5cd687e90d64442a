import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { maapOptions, rcsSubmission, smsBody } from '../../../../test/support/carriers/maap.ts'
import {
  countOf,
  image,
  nextReference,
  openMaapStage,
  submitTo,
} from '../../../../test/support/carriers/maap-simulator.ts'
import { recorded } from '../../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { createConnector } from '../registry.ts'

const withMedia = (...keys: string[]) => ({
  formatId: `CMwMhM0${keys.length}00`,
  content: { carousel: keys.map((key) => ({ title: key, text: key, media: `maapfile://${key}` })) },
})

test('uploads a file once per content and host, and again when lost', async (t) => {
  const opened: string[] = []
  const stage = await openMaapStage(t, {
    kind: 'maap',
    context: {
      openFile: (key) => {
        opened.push(key)
        // a and b have the same content.
        const bytes = image(key.endsWith('c') ? 'c' : 'a')
        return Promise.resolve({ key, bytes, contentType: 'image/png', name: 'a.png' })
      },
    },
  })
  const media = withMedia('a', 'b', 'c')
  for (const outcome of await Promise.all(Array.from({ length: 30 }, () => submitTo(stage, '0001', media))))
    assert.equal(outcome.kind, 'accepted')
  assert.equal(countOf(stage, 'file-uploaded'), 2)
  assert.equal(opened.length, 3)
  assert.equal((await submitTo(stage, '0062', media)).kind, 'accepted')
  assert.equal(countOf(stage, 'file-uploaded'), 4, 'to KT as well')
  stage.hosts.get('skt')!.reset()
  assert.equal((await submitTo(stage, '0001', media)).kind, 'accepted')
  assert.equal(countOf(stage, 'file-forgotten'), 1)
})

test('a file is not used after it has expired at the host', async (t) => {
  const openFile = (key: string) =>
    Promise.resolve({ key, bytes: image(key), contentType: 'image/png', name: 'a.png' })
  const stage = await openMaapStage(t, {
    kind: 'maap-kt',
    // Longer than a busy machine needs from the check to the submission.
    simulator: { fileTtlMs: 1_500 },
    context: { openFile },
  })
  assert.equal((await submitTo(stage, '0001', withMedia('a', 'b'))).kind, 'accepted')
  await waitFor('another upload', async () => {
    await submitTo(stage, '0001', withMedia('a', 'b'))
    return countOf(stage, 'file-uploaded') === 4
  })
  await waitFor(
    'all statuses',
    () => stage.record.receipts.length === stage.hosts.get('kt-relay')!.stats().accepted,
  )
  assert.ok(stage.record.receipts.every(({ result }) => result === 'delivered'))
})

test('an unreadable or refused file decides the outcome without a submission', async (t) => {
  const stage = await openMaapStage(t, {
    kind: 'maap',
    context: {
      openFile: (key) => {
        if (key.endsWith('a')) return Promise.reject(new Error('the store is unavailable'))
        const bytes = Buffer.from('not an image')
        return Promise.resolve({ key, bytes, contentType: 'image/png', name: 'a.png' })
      },
    },
  })
  assert.equal((await submitTo(stage, '0001', withMedia('a', 'a'))).kind, 'unreachable')
  const refused = await submitTo(stage, '0001', withMedia('b', 'b'))
  assert.ok(refused.kind === 'refused' && refused.cause === 'attachment' && refused.code === '53001')
  assert.equal(stage.hosts.get('skt')!.stats().submits, 0)
})

test('a file of two formats is uploaded under two ids, even in the same millisecond', async (t) => {
  const formatsById = new Map<string, string>()
  const wrong: unknown[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
    request.on('end', () => {
      const answer = (fields: object): unknown => response.end(JSON.stringify({ status: '200', ...fields }))
      if (request.url === '/token')
        return answer({ data: { tokenInfo: { accessToken: 't', expiresIn: '6000' } } })
      if (request.url === '/file') {
        const [id, format] = ['fileId', 'messagebaseId'].map(
          (name) => new RegExp(`name="${name}"\r\n\r\n([^\r]+)`).exec(body)![1]!,
        )
        if (formatsById.has(id!)) return answer({ error: { code: '51003', message: 'used' } })
        formatsById.set(id!, format!)
        return answer({ data: { fileId: id } })
      }
      const message = JSON.parse(body) as { messagebaseId: string; body: { media: string } }
      const uploadedFor = formatsById.get(message.body.media.replace('maapfile://', ''))
      if (uploadedFor !== message.messagebaseId) wrong.push([message.messagebaseId, uploadedFor])
      return answer({ data: {} })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = maapOptions({ carriers: { skt: { url, clientId: 'client', clientSecret: 'secret08' } } })
  const openFile = (key: string) =>
    Promise.resolve({ key, bytes: image('a'), contentType: 'image/png', name: 'a.png' })
  const connector = createConnector('maap', { ...options }, { ...recorded().context, openFile })
  t.after(async () => {
    await connector.stop(100)
    server.close()
    server.closeAllConnections()
  })
  connector.start()
  await waitFor('the link', () => connector.linked)
  const now = Date.now()
  t.mock.method(Date, 'now', () => now)
  const content = { standalone: { title: 't', text: 'x', media: 'maapfile://a' } }
  const outcomes = await Promise.all(
    ['SMwThT00', 'SMwThM00'].map((formatId) =>
      connector.submit(rcsSubmission({ ...smsBody, formatId, content }, { reference: nextReference() })),
    ),
  )
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['accepted', 'accepted'],
  )
  assert.deepEqual([formatsById.size, wrong], [2, []])
})
