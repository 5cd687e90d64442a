/** International SMS: its fields and its rules. Part lengths are read off the carrier's record. */
import assert from 'node:assert/strict'
import { abroad, accepts, from, recipient, refuses, reportsOf } from '../api-assertions.ts'
import { submissionsTo } from '../carrier.ts'
import { international } from '../request-bodies.ts'
import { prove } from '../prove.ts'

const send = 'international'
const latin = (count: number): string => 'a'.repeat(count)
const local = (count: number): string => '가'.repeat(count)

/** Characters of each part as the carrier got them. */
async function partsOf(text: string): Promise<readonly number[]> {
  const to = abroad()
  const { msgKey } = (await accepts(send, { from, to, text })).body
  await reportsOf(msgKey!)
  const submissions = await submissionsTo(to)
  assert.equal(submissions.map((one) => one.text).join(''), text)
  return submissions.map((one) => one.text!.length)
}

prove('international.from', async () => {
  await accepts(send, international({ from }))
  for (const wrong of [undefined, '', '02-1234-5678', '+82212345678', '한국', 212345678]) {
    await refuses(send, international({ from: wrong }), 'A302', 'from')
  }
})

prove('international.to', async () => {
  await accepts(send, international({ to: abroad() }))
  await accepts(send, international({ to: recipient().replace(/^0/, '+82') }))
  for (const wrong of [undefined, '', recipient(), '14155550001', '+', '+abc', 1]) {
    await refuses(send, international({ to: wrong }), 'A306', 'to')
  }
})

prove('international.text', async () => {
  await accepts(send, international({ text: 'x' }))
  for (const wrong of [undefined, '', 1]) await refuses(send, international({ text: wrong }), 'A303', 'text')
  for (const length of [2_000, 2_001]) await refuses(send, international({ text: latin(length) }), 'A328')
})

prove('international.ref', async () => {
  assert.ok(!('ref' in (await accepts(send, international())).body))
  const ref = 'r'.repeat(200)
  assert.equal((await accepts(send, international({ ref }))).body.ref, ref)
  await refuses(send, international({ ref: `${ref}r` }), 'A305', 'ref')
  await refuses(send, international({ ref: 1 }), 'A305', 'ref')
})

prove('international.answer', async () => {
  const { body } = await accepts(send, international({ ref: 'r' }))
  assert.deepEqual(Object.keys(body).sort(), ['code', 'msgKey', 'ref', 'result'])
})

prove('rule.1', async () => {
  const to = abroad()
  const { msgKey } = (await accepts(send, { from, to, text: latin(400) })).body
  const reports = await reportsOf(msgKey!)
  assert.equal(reports.length, 1)
  const submissions = await submissionsTo(to)
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
  assert.deepEqual(await partsOf(latin(160)), [160])
  assert.deepEqual(await partsOf(local(70)), [70])
})

prove('rule.3-split', async () => {
  assert.deepEqual(await partsOf(latin(161)), [153, 8])
  assert.deepEqual(await partsOf(latin(307)), [153, 153, 1])
  assert.deepEqual(await partsOf(local(71)), [67, 4])
  assert.deepEqual(await partsOf(local(135)), [67, 67, 1])
})

async function maxParts(): Promise<void> {
  assert.deepEqual(await partsOf(latin(765)), [153, 153, 153, 153, 153])
  assert.deepEqual(await partsOf(local(335)), [67, 67, 67, 67, 67])
  await refuses(send, international({ text: latin(766) }), 'A328')
  await refuses(send, international({ text: local(336) }), 'A328')
}
prove('rule.3-most', maxParts)
prove('limit.international', maxParts)

prove('rule.4', async () => {
  const to = abroad()
  const text = '[Postern] your code is 4711'
  const { msgKey } = (await accepts(send, { from, to, text })).body
  await reportsOf(msgKey!)
  assert.equal((await submissionsTo(to))[0]!.text, text)
})

prove('rule.5', async () => {
  for (const name of ['Postern', 'ACME', 'Bank 24', 'A'.repeat(11)]) {
    const to = abroad()
    await reportsOf((await accepts(send, international({ to, from: name }))).body.msgKey!)
    assert.deepEqual(
      (await submissionsTo(to)).map((one) => one.from),
      [name],
    )
    await refuses(send, international({ to: recipient().replace(/^0/, '+82'), from: name }), 'A302', 'from')
  }
})
