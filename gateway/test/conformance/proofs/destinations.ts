/** Destinations of the combined send: how many, their words, and the result of each. */
import assert from 'node:assert/strict'
import { accepts, msgKeyPattern, recipient, refuses, reportsOf } from '../api-assertions.ts'
import { submissionsTo, submittedAs, textOf } from '../carrier.ts'
import { destinationCode, keyOf, rcs, send, sms } from '../flows.ts'
import { omni, urlButton } from '../request-bodies.ts'
import { prove } from '../prove.ts'

async function tenRecipients(): Promise<void> {
  const many = (count: number): object[] => Array.from({ length: count }, () => ({ to: recipient() }))
  const ten = await send([sms()], ...many(10))
  assert.equal(new Set(ten.map(({ msgKey }) => msgKey)).size, 10)
  for (const { code, msgKey } of ten) assert.ok(code === 'A000' && msgKeyPattern.test(msgKey))
  const eleven = many(11) as { to: string }[]
  await refuses('omni', omni({ destinations: eleven }), 'A318')
  // Sent after it, through the same route: so the refused one was not sent.
  await reportsOf(await keyOf([sms()]))
  for (const { to } of eleven) assert.deepEqual(await submissionsTo(to), [])
}
prove('omni.destinations', async () => {
  await tenRecipients()
  for (const wrong of [undefined, [], 'x', 1]) await refuses('omni', omni({ destinations: wrong }), 'A306')
})
prove('limit.recipients', tenRecipients)

prove('destination.answer', async () => {
  const to = recipient()
  const [good, bad] = await send([sms()], { to }, { to: 'somebody' })
  assert.deepEqual(Object.keys(good!).sort(), ['code', 'msgKey', 'result', 'to'])
  assert.deepEqual(Object.keys(bad!).sort(), ['code', 'msgKey', 'result', 'to'])
  assert.deepEqual([good!.to, good!.code, good!.result], [to, 'A000', 'Success'])
  assert.match(good!.msgKey, msgKeyPattern)
  assert.equal(bad!.msgKey, '')
})

prove('omni.separate', async () => {
  const { body } = await accepts('omni', omni({ destinations: [{ to: '1' }, { to: recipient() }] }))
  assert.deepEqual(
    body.data!.destinations!.map(({ code }) => code),
    ['A306', 'A000'],
  )
})

prove('destination.to', async () => {
  assert.equal(await destinationCode([sms()], { to: recipient() }), 'A000')
  for (const to of ['', 'somebody', '+14155550001', '010-1234-5678']) {
    assert.equal(await destinationCode([sms()], { to }), 'A306', to)
  }
  await refuses('omni', omni({ destinations: [{}] }), 'A306', 'destinations[0].to')
  await refuses('omni', omni({ destinations: [{ to: 1 }] }), 'A306', 'destinations[0].to')
})

prove('destination.replaceWords', async () => {
  const [one, two] = [recipient(), recipient()]
  const messageFlow = [sms('Dear #{name}, #{name}: #{sum} won')]
  const sent = await send(
    messageFlow,
    { to: one, replaceWords: { name: '김', sum: '1,000' } },
    { to: two, replaceWords: { name: 'Lee', sum: '2' } },
  )
  for (const { msgKey } of sent) await reportsOf(msgKey)
  assert.equal(textOf((await submissionsTo(one))[0]!), 'Dear 김, 김: 1,000 won')
  assert.equal((await submissionsTo(two))[0]!.text, 'Dear Lee, Lee: 2 won')
  const titled = rcs({ content: { standalone: { title: '#{name}', text: 'hello #{name}' } } })
  const { body } = await submittedAs(await keyOf([titled], recipient(), { name: 'Lee' }))
  assert.deepEqual(body, { title: 'Lee', description: 'hello Lee' })
})

prove('destination.replaceWords-buttons', async () => {
  const button = [{ ...urlButton('#{name}'), url: 'https://example.com/#{id}' }]
  const titled = rcs({ content: { standalone: { text: 'x', button } } })
  const { buttons } = await submittedAs(await keyOf([titled], recipient(), { name: 'Lee', id: '7' }))
  assert.match(JSON.stringify(buttons), /"displayText":"Lee"/)
  assert.match(JSON.stringify(buttons), /https:\/\/example\.com\/7"/)
})

prove('destination.replaceWords-missing', async () => {
  const flow = [sms('Dear #{name}')]
  assert.equal(await destinationCode(flow, { to: recipient() }), 'A303')
  assert.equal(await destinationCode(flow, { to: recipient(), replaceWords: { other: 'x' } }), 'A303')
  const wrong = [{ to: recipient(), replaceWords: { name: { first: 'Kim' } } }]
  await refuses('omni', omni({ destinations: wrong }), 'A300')
})
