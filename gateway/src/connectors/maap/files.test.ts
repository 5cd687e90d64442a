/** Uploaded files, with simulated hosts: once for each content and host, and no longer than they live there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf, image, openMaapStage, submitTo } from '../../../test/support/maap-simulator.ts'
import { waitFor } from '../../../test/support/wait.ts'

const withMedia = (...keys: string[]) => ({
  formatId: `CMwMhM0${keys.length}00`,
  content: { carousel: keys.map((key) => ({ title: key, text: key, media: `maapfile://${key}` })) },
})

test('a file is uploaded once for each content and host, and again when the host has lost it', async (t) => {
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
    simulator: { fileTtlMs: 300 },
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

test('a file that cannot be read or is refused decides the outcome, and nothing is submitted', async (t) => {
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
