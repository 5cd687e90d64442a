import assert from 'node:assert/strict'
import {
  assertAccepted,
  dryRun,
  getMedia,
  nextRecipient,
  assertRejected,
  waitForReports,
  writtenForms,
} from '../api-assertions.ts'
import { findDeadlineSeconds, findSubmissions, findSubmittedContent } from '../carrier.ts'
import { card, carousel, rcs } from '../request-bodies.ts'
import { prove, proveEach } from '../prove.ts'
import { getAccountClient } from '../installation.ts'
import { sendRelayed, waitForRelayed, reportRelayed } from '../relay.ts'

const standalone = { title: 'hello', text: 'world' }
const body = { title: 'hello', description: 'world' }
const suggestion = { action: { urlAction: { openUrl: { url: 'https://example.com' } }, displayText: 'open' } }

prove('rcs.content', async () => {
  await assertAccepted('rcs', rcs({ content: { standalone } }))
  await assertRejected('rcs', rcs({ content: undefined }), 'A415', 'content')
  await assertRejected('rcs', rcs({ content: { standalone }, body }), 'A415', 'content')
  for (const wrong of ['text', 1, []]) await assertRejected('rcs', rcs({ content: wrong }), 'A415', 'content')
  // A published SDK sends it with every body.
  const { msgKey } = (await assertAccepted('rcs', rcs({ content: {}, body }))).body
  assert.deepEqual((await findSubmittedContent(msgKey!)).body, body)
})

prove('rcs.kinds', async () => {
  const item = { title: 'title', media: await getMedia(696, 504) }
  const template = (formatId: string): object => rcs({ formatId, content: { template: { title: 'title' } } })
  await assertAccepted('rcs', card('SL000000', standalone))
  await assertAccepted('rcs', carousel('CMwMhM0200', [item, item]))
  await assertAccepted('rcs', template('UBR.kinds-1'))
  for (const wrong of [
    card('CMwMhM0200', item),
    carousel('SL000000', [standalone, standalone]),
    template('SL000000'),
    template('CMwMhM0200'),
  ]) {
    await assertRejected('rcs', wrong, 'A415', 'content')
  }
  for (const wrong of [card('UBR.kinds-1', standalone), carousel('UBR.kinds-1', [item, item])]) {
    await assertRejected('rcs', wrong, 'A404', 'formatId')
  }
})

prove('rcs.body', async () => {
  const { msgKey } = (await assertAccepted('rcs', rcs({ content: undefined, body }))).body
  assert.deepEqual((await findSubmittedContent(msgKey!)).body, body)
  for (const wrong of ['text', 1, []]) {
    await assertRejected('rcs', rcs({ content: undefined, body: wrong }), 'A425', 'body')
  }
})

prove('rcs.buttons', async () => {
  const buttons = [{ suggestions: [suggestion] }]
  const { msgKey } = (await assertAccepted('rcs', rcs({ content: undefined, body, buttons }))).body
  assert.deepEqual((await findSubmittedContent(msgKey!)).buttons, buttons)
  await assertRejected('rcs', rcs({ buttons }), 'A425', 'buttons')
  await assertRejected('rcs', rcs({ content: undefined, body, buttons: 'open' }), 'A425', 'buttons')
})

prove('rcs.from', async () => {
  await assertAccepted('rcs', rcs({ from: '15881588' }))
  for (const wrong of [undefined, '', '02-123-4567', 'Postern', 1]) {
    await assertRejected('rcs', rcs({ from: wrong }), 'A302', 'from')
  }
})

prove('rcs.to', async () => {
  const domestic = nextRecipient()
  for (const to of writtenForms(domestic)) {
    const [report] = await waitForReports((await assertAccepted('rcs', rcs({ to }))).body.msgKey!)
    assert.equal(report!.to, domestic, to)
  }
  for (const wrong of [undefined, '', 'letters', '+14155550001', 1]) {
    await assertRejected('rcs', rcs({ to: wrong }), 'A306', 'to')
  }
})

prove('rcs.formatId', async () => {
  await assertAccepted('rcs', rcs({ formatId: 'SL000000' }))
  await assertAccepted(
    'rcs',
    rcs({ formatId: 'UBR.template-1', content: { template: { description: 'words' } } }),
  )
  for (const wrong of [undefined, '', 1])
    await assertRejected('rcs', rcs({ formatId: wrong }), 'A404', 'formatId')
  await assertRejected('rcs', rcs({ formatId: 'SL999999' }), 'A404', 'formatId')
})

prove('rcs.brandKey', async () => {
  await assertAccepted('rcs', rcs({ brandKey: 'BR.key' }))
  for (const wrong of [undefined, '', 1])
    await assertRejected('rcs', rcs({ brandKey: wrong }), 'A420', 'brandKey')
})

prove('rcs.brandId', async () => {
  const { msgKey } = (await assertAccepted('rcs', rcs({ brandId: 'BR.id' }))).body
  assert.equal((await findSubmittedContent(msgKey!)).brandId, 'BR.id')
  await assertAccepted('rcs', rcs())
  await assertRejected('rcs', rcs({ brandId: 1 }), 'A419', 'brandId')
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
    const to = nextRecipient()
    assert.equal((await dryRun('rcs', rcs({ to, expiryOption }))).deadlineSeconds, seconds)
    // The step is in flight until its report.
    const msgKey = await sendRelayed('rcs', rcs({ to, expiryOption }))
    const relayed = await waitForRelayed(to)
    assert.equal(relayed.content.expiryOption, expiryOption)
    assert.equal(await findDeadlineSeconds(msgKey), seconds)
    await reportRelayed(relayed)
    assert.equal((await waitForReports(msgKey, await getAccountClient('relayed')))[0]!.reportCode, '10000')
  },
)

prove('rcs.expiryOption-other', async () => {
  for (const wrong of ['0', '5', '11', 1]) {
    await assertRejected('rcs', rcs({ expiryOption: wrong }), 'A408', 'expiryOption')
  }
})

prove('rcs.header', async () => {
  const findHeader = async (change: object): Promise<unknown> => {
    const { msgKey } = (await assertAccepted('rcs', rcs(change))).body
    return (await findSubmittedContent(msgKey!)).header
  }
  assert.equal(await findHeader({}), '0')
  assert.equal(await findHeader({ header: '0' }), '0')
  assert.equal(await findHeader({ header: '1', footer: '0801234567' }), '1')
  await assertRejected('rcs', rcs({ header: '1' }), 'A412', 'footer')
  for (const wrong of ['2', 'Y', 1]) await assertRejected('rcs', rcs({ header: wrong }), 'A411', 'header')
})

async function footer(): Promise<void> {
  const { msgKey } = (await assertAccepted('rcs', rcs({ header: '1', footer: '가'.repeat(100) }))).body
  assert.equal((await findSubmittedContent(msgKey!)).footer, '가'.repeat(100))
  await assertRejected('rcs', rcs({ header: '1', footer: '가'.repeat(101) }), 'A412', 'footer')
  await assertRejected('rcs', rcs({ footer: 1 }), 'A412', 'footer')
}
prove('rcs.footer', footer)
prove('limit.footer', footer)

prove('rcs.ref', async () => {
  assert.ok(!('ref' in (await assertAccepted('rcs', rcs())).body))
  const ref = 'r'.repeat(200)
  assert.equal((await assertAccepted('rcs', rcs({ ref }))).body.ref, ref)
  for (const wrong of [`${ref}r`, 1]) await assertRejected('rcs', rcs({ ref: wrong }), 'A305', 'ref')
})

prove('rcs.fallback', async () => {
  const fallback = { type: 'SMS', text: 'instead of RCS' }
  const failing = nextRecipient('0023')
  const failed = (await assertAccepted('rcs', rcs({ to: failing, fallback }))).body.msgKey!
  const reports = await waitForReports(failed)
  assert.deepEqual(
    reports.map(({ serviceType, reportCode }) => [serviceType, reportCode]),
    [
      ['SMS', '10000'],
      ['RCS', '33101'],
    ],
  )
  assert.deepEqual(
    (await findSubmissions(failing)).map(({ text }) => text),
    ['instead of RCS'],
  )
  const to = nextRecipient('0001')
  const delivered = (await assertAccepted('rcs', rcs({ to, fallback }))).body.msgKey!
  assert.deepEqual(
    (await waitForReports(delivered)).map(({ serviceType, reportCode }) => [serviceType, reportCode]),
    [['RCS', '10000']],
  )
  assert.deepEqual(await findSubmissions(to), [])
})

prove('rcs.answer', async () => {
  const { body: response } = await assertAccepted('rcs', rcs({ ref: 'r' }))
  assert.deepEqual(Object.keys(response).sort(), ['code', 'msgKey', 'ref', 'result'])
})
