/** The body fields of an RCS send. */
import assert from 'node:assert/strict'
import { accepts, recipient, refuses, reportsOf } from '../api-assertions.ts'
import { deadlineOf, submissionsTo, submittedAs } from '../carrier.ts'
import { rcs } from '../request-bodies.ts'
import { prove, proveEach } from '../prove.ts'
import { account } from '../installation.ts'
import { relay, relayedTo, reportRelayed } from '../relay.ts'

const standalone = { title: 'hello', text: 'world' }
const body = { title: 'hello', description: 'world' }
const suggestion = { action: { urlAction: { openUrl: { url: 'https://example.com' } }, displayText: 'open' } }

prove('rcs.content', async () => {
  await accepts('rcs', rcs({ content: { standalone } }))
  await refuses('rcs', rcs({ content: undefined }), 'A415', 'content')
  await refuses('rcs', rcs({ content: { standalone }, body }), 'A415', 'content')
  for (const wrong of ['text', 1, []]) await refuses('rcs', rcs({ content: wrong }), 'A415', 'content')
})

prove('rcs.body', async () => {
  const { msgKey } = (await accepts('rcs', rcs({ content: undefined, body }))).body
  assert.deepEqual((await submittedAs(msgKey!)).body, body)
  for (const wrong of ['text', 1, []]) {
    await refuses('rcs', rcs({ content: undefined, body: wrong }), 'A425', 'body')
  }
})

prove('rcs.buttons', async () => {
  const buttons = [{ suggestions: [suggestion] }]
  const { msgKey } = (await accepts('rcs', rcs({ content: undefined, body, buttons }))).body
  assert.deepEqual((await submittedAs(msgKey!)).buttons, buttons)
  await refuses('rcs', rcs({ buttons }), 'A425', 'buttons')
  await refuses('rcs', rcs({ content: undefined, body, buttons: 'open' }), 'A425', 'buttons')
})

prove('rcs.from', async () => {
  await accepts('rcs', rcs({ from: '15881588' }))
  for (const wrong of [undefined, '', '02-123-4567', 'Postern', 1]) {
    await refuses('rcs', rcs({ from: wrong }), 'A302', 'from')
  }
})

prove('rcs.to', async () => {
  await accepts('rcs', rcs())
  for (const wrong of [undefined, '', '010-1234-5678', '+14155550001', 1]) {
    await refuses('rcs', rcs({ to: wrong }), 'A306', 'to')
  }
})

prove('rcs.formatId', async () => {
  await accepts('rcs', rcs({ formatId: 'SL000000' }))
  await accepts('rcs', rcs({ formatId: 'UBR.template-1', content: { template: { description: 'words' } } }))
  for (const wrong of [undefined, '', 1]) await refuses('rcs', rcs({ formatId: wrong }), 'A404', 'formatId')
  await refuses('rcs', rcs({ formatId: 'SL999999' }), 'A404', 'formatId')
})

prove('rcs.brandKey', async () => {
  await accepts('rcs', rcs({ brandKey: 'BR.key' }))
  for (const wrong of [undefined, '', 1]) await refuses('rcs', rcs({ brandKey: wrong }), 'A420', 'brandKey')
})

prove('rcs.brandId', async () => {
  const { msgKey } = (await accepts('rcs', rcs({ brandId: 'BR.id' }))).body
  assert.equal((await submittedAs(msgKey!)).brandId, 'BR.id')
  await accepts('rcs', rcs())
  await refuses('rcs', rcs({ brandId: 1 }), 'A419', 'brandId')
})

proveEach(
  {
    'rcs.expiryOption-default': [undefined, 24 * 3600],
    'rcs.expiryOption-1': ['1', 24 * 3600],
    'rcs.expiryOption-2': ['2', 40],
    'rcs.expiryOption-3': ['3', 190],
    'rcs.expiryOption-4': ['4', 3600],
  } as const,
  async ([expiryOption, seconds]) => {
    const to = recipient()
    const dry = await (await account('main')).post('/v1/send/rcs?dryRun=true', rcs({ to, expiryOption }))
    const { destinations } = dry.body.data as unknown as {
      destinations: { steps: { deadlineSeconds: number }[] }[]
    }
    assert.equal(destinations[0]!.steps[0]!.deadlineSeconds, seconds)
    // It is in flight until its report.
    const msgKey = await relay('rcs', rcs({ to, expiryOption }))
    const left = await relayedTo(to)
    assert.equal(left.content.expiryOption, expiryOption)
    assert.equal(await deadlineOf(msgKey), seconds)
    await reportRelayed(left)
    assert.equal((await reportsOf(msgKey, await account('relayed')))[0]!.reportCode, '10000')
  },
)

prove('rcs.expiryOption-other', async () => {
  for (const wrong of ['0', '5', '11', 1]) {
    await refuses('rcs', rcs({ expiryOption: wrong }), 'A408', 'expiryOption')
  }
})

prove('rcs.header', async () => {
  const headerOf = async (change: object): Promise<unknown> => {
    const { msgKey } = (await accepts('rcs', rcs(change))).body
    return (await submittedAs(msgKey!)).header
  }
  assert.equal(await headerOf({}), '0')
  assert.equal(await headerOf({ header: '0' }), '0')
  assert.equal(await headerOf({ header: '1', footer: '0801234567' }), '1')
  await refuses('rcs', rcs({ header: '1' }), 'A412', 'footer')
  for (const wrong of ['2', 'Y', 1]) await refuses('rcs', rcs({ header: wrong }), 'A411', 'header')
})

async function footer(): Promise<void> {
  const { msgKey } = (await accepts('rcs', rcs({ header: '1', footer: '가'.repeat(100) }))).body
  assert.equal((await submittedAs(msgKey!)).footer, '가'.repeat(100))
  await refuses('rcs', rcs({ header: '1', footer: '가'.repeat(101) }), 'A412', 'footer')
  await refuses('rcs', rcs({ footer: 1 }), 'A412', 'footer')
}
prove('rcs.footer', footer)
prove('limit.footer', footer)

prove('rcs.ref', async () => {
  assert.ok(!('ref' in (await accepts('rcs', rcs())).body))
  const ref = 'r'.repeat(200)
  assert.equal((await accepts('rcs', rcs({ ref }))).body.ref, ref)
  await refuses('rcs', rcs({ ref: `${ref}r` }), 'A305', 'ref')
})

prove('rcs.fallback', async () => {
  const fallback = { type: 'SMS', text: 'instead of RCS' }
  const failing = recipient('0023')
  const failed = (await accepts('rcs', rcs({ to: failing, fallback }))).body.msgKey!
  const reports = await reportsOf(failed)
  assert.deepEqual(
    reports.map(({ serviceType, reportCode }) => [serviceType, reportCode]),
    [
      ['RCS', '33101'],
      ['SMS', '10000'],
    ],
  )
  assert.deepEqual(
    (await submissionsTo(failing)).map(({ text }) => text),
    ['instead of RCS'],
  )
  const to = recipient('0001')
  const delivered = (await accepts('rcs', rcs({ to, fallback }))).body.msgKey!
  assert.deepEqual(
    (await reportsOf(delivered)).map(({ serviceType, reportCode }) => [serviceType, reportCode]),
    [['RCS', '10000']],
  )
  assert.deepEqual(await submissionsTo(to), [])
})

prove('rcs.answer', async () => {
  const answer = await accepts('rcs', rcs({ ref: 'r' }))
  assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'msgKey', 'ref', 'result'])
})
