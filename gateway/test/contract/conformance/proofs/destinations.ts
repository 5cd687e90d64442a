import assert from 'node:assert/strict'
import {
  assertAccepted,
  msgKeyPattern,
  nextRecipient,
  assertRejected,
  waitForReports,
  writtenForms,
} from '../api-assertions.ts'
import { findSubmissions, findSubmittedContent, decodeSubmissionText } from '../carrier.ts'
import { sendFlowForCode, sendFlowForKey, rcs, sendFlow, sms } from '../flows.ts'
import { omni, urlButton } from '../request-bodies.ts'
import { getAccountClient } from '../installation.ts'
import { runOnce } from '../once.ts'
import { prove } from '../prove.ts'

async function tenRecipients(): Promise<void> {
  const many = (count: number): object[] => Array.from({ length: count }, () => ({ to: nextRecipient() }))
  const ten = await sendFlow([sms()], ...many(10))
  assert.equal(new Set(ten.map(({ msgKey }) => msgKey)).size, 10)
  for (const { code, msgKey } of ten) assert.ok(code === 'A000' && msgKeyPattern.test(msgKey))
  const eleven = many(11) as { to: string }[]
  await assertRejected('omni', omni({ destinations: eleven }), 'A318')
  // This message is sent later over the same route: when its report arrives, the rejected request would have been
  // submitted as well.
  await waitForReports(await sendFlowForKey([sms()]))
  for (const { to } of eleven) assert.deepEqual(await findSubmissions(to), [])
}
prove('omni.destinations', async () => {
  await tenRecipients()
  for (const wrong of [undefined, [], 'x', 1])
    await assertRejected('omni', omni({ destinations: wrong }), 'A306')
})
prove('limit.recipients', tenRecipients)

prove('destination.answer', async () => {
  const to = nextRecipient()
  const [good, bad] = await sendFlow([sms()], { to }, { to: 'letters' })
  assert.deepEqual(Object.keys(good!).sort(), ['code', 'msgKey', 'result', 'to'])
  // Beyond the contract.
  const { acceptance, ...refused } = bad as typeof bad & { acceptance?: string }
  assert.equal(acceptance, 'no')
  assert.deepEqual(Object.keys(refused).sort(), ['code', 'msgKey', 'result', 'to'])
  assert.deepEqual([good!.to, good!.code, good!.result], [to, 'A000', 'Success'])
  assert.match(good!.msgKey, msgKeyPattern)
  assert.equal(bad!.msgKey, '')
  const plain = await getAccountClient('plain')
  const { body } = await assertAccepted('omni', omni({ destinations: [{ to: 'letters' }] }), plain)
  assert.deepEqual(Object.keys(body.data!.destinations![0]!).sort(), ['code', 'msgKey', 'result', 'to'])
})

prove('destination.answer-to', async () => {
  const written = [...writtenForms(nextRecipient()), 'letters']
  const destinations = written.map((to) => ({ to }))
  assert.deepEqual(
    (await sendFlow([sms()], ...destinations)).map(({ to }) => to),
    written,
  )
})

prove('destination.answer-msgKey', async () => {
  const [one, other, failed] = await sendFlow(
    [sms()],
    ...[nextRecipient(), nextRecipient(), 'letters'].map((to) => ({ to })),
  )
  for (const { msgKey } of [one!, other!]) {
    assert.match(msgKey, msgKeyPattern)
    assert.equal((await waitForReports(msgKey))[0]!.msgKey, msgKey)
  }
  assert.notEqual(one!.msgKey, other!.msgKey)
  assert.equal(failed!.msgKey, '')
})

const threeResults = runOnce(() =>
  sendFlow(
    [sms('#{name}')],
    { to: nextRecipient(), replaceWords: { name: 'Kim' } },
    { to: nextRecipient() },
    { to: 'letters', replaceWords: { name: 'Kim' } },
  ),
)

prove('destination.answer-code', async () => {
  assert.deepEqual(
    (await threeResults()).map(({ code }) => code),
    ['A000', 'A303', 'A306'],
  )
})

prove('destination.answer-result', async () => {
  const [accepted, ...failed] = await threeResults()
  assert.equal(accepted!.result, 'Success')
  for (const { result } of failed) assert.match(result, /^(?!Success)\w/)
})

prove('omni.separate', async () => {
  const { body } = await assertAccepted(
    'omni',
    omni({ destinations: [{ to: '1' }, { to: nextRecipient() }] }),
  )
  assert.deepEqual(
    body.data!.destinations!.map(({ code }) => code),
    ['A306', 'A000'],
  )
})

prove('destination.to', async () => {
  for (const to of writtenForms(nextRecipient())) {
    assert.equal(await sendFlowForCode([sms()], { to }), 'A000', to)
  }
  for (const to of ['', 'letters', '+14155550001']) {
    assert.equal(await sendFlowForCode([sms()], { to }), 'A306', to)
  }
  await assertRejected('omni', omni({ destinations: [{}] }), 'A306', 'destinations[0].to')
  await assertRejected('omni', omni({ destinations: [{ to: 1 }] }), 'A306', 'destinations[0].to')
})

prove('destination.replaceWords', async () => {
  const [one, two] = [nextRecipient(), nextRecipient()]
  const messageFlow = [sms('Dear #{name}, #{name}: #{sum} won')]
  const sent = await sendFlow(
    messageFlow,
    { to: one, replaceWords: { name: '김', sum: '1,000' } },
    { to: two, replaceWords: { name: 'Lee', sum: '2' } },
  )
  for (const { msgKey } of sent) await waitForReports(msgKey)
  assert.equal(decodeSubmissionText((await findSubmissions(one))[0]!), 'Dear 김, 김: 1,000 won')
  assert.equal((await findSubmissions(two))[0]!.text, 'Dear Lee, Lee: 2 won')
  const titled = rcs({ content: { standalone: { title: '#{name}', text: 'hello #{name}' } } })
  const { body } = await findSubmittedContent(
    await sendFlowForKey([titled], nextRecipient(), { name: 'Lee' }),
  )
  assert.deepEqual(body, { title: 'Lee', description: 'hello Lee' })
})

prove('destination.replaceWords-buttons', async () => {
  const button = [{ ...urlButton('#{name}'), url: 'https://example.com/#{id}' }]
  const titled = rcs({ content: { standalone: { text: 'x', button } } })
  const { buttons } = await findSubmittedContent(
    await sendFlowForKey([titled], nextRecipient(), { name: 'Lee', id: '7' }),
  )
  assert.match(JSON.stringify(buttons), /"displayText":"Lee"/)
  assert.match(JSON.stringify(buttons), /https:\/\/example\.com\/7"/)
})

prove('destination.replaceWords-missing', async () => {
  const flow = [sms('Dear #{name}')]
  assert.equal(await sendFlowForCode(flow, { to: nextRecipient() }), 'A303')
  for (const replaceWords of [{ other: 'x' }, { name: null }, {}, [], null]) {
    const [complete, incomplete] = await sendFlow(
      flow,
      { to: nextRecipient(), replaceWords: { name: 'Kim' } },
      { to: nextRecipient(), replaceWords },
    )
    assert.deepEqual([complete!.code, incomplete!.code], ['A000', 'A303'], JSON.stringify(replaceWords))
  }
  const wrong = [{ to: nextRecipient(), replaceWords: { name: { first: 'Kim' } } }]
  await assertRejected('omni', omni({ destinations: wrong }), 'A300')
})
