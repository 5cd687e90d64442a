import assert from 'node:assert/strict'
import {
  nextForeignRecipient,
  assertAccepted,
  from,
  nextRecipient,
  assertRejected,
  waitForReports,
  writtenForms,
} from '../api-assertions.ts'
import { findSubmissions } from '../carrier.ts'
import { international } from '../request-bodies.ts'
import { prove } from '../prove.ts'

const channel = 'international'
const latin = (count: number): string => 'a'.repeat(count)
const local = (count: number): string => '가'.repeat(count)

/** Sends a text and returns the number of characters of each part that the carrier received. */
async function findPartLengths(text: string): Promise<readonly number[]> {
  const to = nextForeignRecipient()
  const { msgKey } = (await assertAccepted(channel, { from, to, text })).body
  await waitForReports(msgKey!)
  const submissions = await findSubmissions(to)
  assert.equal(submissions.map((one) => one.text).join(''), text)
  return submissions.map((one) => one.text!.length)
}

prove('international.from', async () => {
  await assertAccepted(channel, international({ from }))
  for (const wrong of [undefined, '', '02-1234-5678', '+82212345678', '한국', 212345678]) {
    await assertRejected(channel, international({ from: wrong }), 'A302', 'from')
  }
})

prove('international.to', async () => {
  await assertAccepted(channel, international({ to: nextForeignRecipient() }))
  for (const to of writtenForms(nextRecipient()).filter((form) => form.startsWith('+')))
    await assertAccepted(channel, international({ to }))
  for (const wrong of [undefined, '', nextRecipient(), '14155550001', '+', '+abc', 1]) {
    await assertRejected(channel, international({ to: wrong }), 'A306', 'to')
  }
})

prove('international.text', async () => {
  await assertAccepted(channel, international({ text: 'x' }))
  for (const wrong of [undefined, '', 1])
    await assertRejected(channel, international({ text: wrong }), 'A303', 'text')
  for (const length of [2_000, 2_001])
    await assertRejected(channel, international({ text: latin(length) }), 'A328')
})

prove('international.ref', async () => {
  assert.ok(!('ref' in (await assertAccepted(channel, international())).body))
  const ref = 'r'.repeat(200)
  assert.equal((await assertAccepted(channel, international({ ref }))).body.ref, ref)
  await assertRejected(channel, international({ ref: `${ref}r` }), 'A305', 'ref')
  await assertRejected(channel, international({ ref: 1 }), 'A305', 'ref')
})

prove('international.answer', async () => {
  const { body } = await assertAccepted(channel, international({ ref: 'r' }))
  assert.deepEqual(Object.keys(body).sort(), ['code', 'msgKey', 'ref', 'result'])
})

prove('rule.1', async () => {
  const to = nextForeignRecipient()
  const { msgKey } = (await assertAccepted(channel, { from, to, text: latin(400) })).body
  const reports = await waitForReports(msgKey!)
  assert.equal(reports.length, 1)
  const submissions = await findSubmissions(to)
  assert.equal(submissions.length, 3)
  const references = new Set(submissions.map(({ part }) => part?.ref))
  assert.equal(references.size, 1)
  assert.deepEqual(
    submissions.map(({ part }) => [part!.sequence, part!.total]),
    [
      [1, 3],
      [2, 3],
      [3, 3],
    ],
  )
})

prove('rule.3-base', async () => {
  assert.deepEqual(await findPartLengths(latin(160)), [160])
  assert.deepEqual(await findPartLengths(local(70)), [70])
})

prove('rule.3-split', async () => {
  assert.deepEqual(await findPartLengths(latin(161)), [153, 8])
  assert.deepEqual(await findPartLengths(latin(307)), [153, 153, 1])
  assert.deepEqual(await findPartLengths(local(71)), [67, 4])
  assert.deepEqual(await findPartLengths(local(135)), [67, 67, 1])
})

async function maxParts(): Promise<void> {
  assert.deepEqual(await findPartLengths(latin(765)), [153, 153, 153, 153, 153])
  assert.deepEqual(await findPartLengths(local(335)), [67, 67, 67, 67, 67])
  await assertRejected(channel, international({ text: latin(766) }), 'A328')
  await assertRejected(channel, international({ text: local(336) }), 'A328')
}
prove('rule.3-most', maxParts)
prove('limit.international', maxParts)

prove('rule.4', async () => {
  const to = nextForeignRecipient()
  const text = '[Postern] your code is 4711'
  const { msgKey } = (await assertAccepted(channel, { from, to, text })).body
  await waitForReports(msgKey!)
  assert.equal((await findSubmissions(to))[0]!.text, text)
})

prove('rule.5', async () => {
  for (const name of ['Postern', 'ACME', 'Bank 24', 'A'.repeat(11)]) {
    const to = nextForeignRecipient()
    await waitForReports((await assertAccepted(channel, international({ to, from: name }))).body.msgKey!)
    assert.deepEqual(
      (await findSubmissions(to)).map((one) => one.from),
      [name],
    )
    await assertRejected(
      channel,
      international({ to: nextRecipient().replace(/^0/, '+82'), from: name }),
      'A302',
      'from',
    )
  }
})
