import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Problem } from '../contract/problem.ts'
import { causes } from './cause.ts'
import type { ChannelName } from './channel.ts'
import { requireValid } from './issues.ts'
import { channels } from './registry.ts'

const to = '01012345678'
const from = '0234567890'
const message = { senderKey: 'k', to, text: 'hello' }
const bodies: Record<ChannelName, { body: object; msgType: string; serviceType: string }> = {
  sms: { body: { from, to, text: 'hello' }, msgType: 'SM', serviceType: 'SMS' },
  mms: { body: { from, to, text: 'hello' }, msgType: 'LM', serviceType: 'MMS' },
  international: {
    body: { from, to: '+4915112345678', text: 'hello' },
    msgType: 'IM',
    serviceType: 'INTERNATIONAL',
  },
  rcs: {
    body: { from, to, formatId: 'SS000000', brandKey: 'k', content: { standalone: { text: 'hello' } } },
    msgType: 'RS',
    serviceType: 'RCS',
  },
  alimtalk: {
    body: { ...message, msgType: 'AT', templateCode: 't' },
    msgType: 'AT',
    serviceType: 'ALIMTALK',
  },
  friendtalk: { body: { ...message, msgType: 'FT' }, msgType: 'FT', serviceType: 'FRIENDTALK' },
  brandmessage: { body: {}, msgType: '', serviceType: 'BRANDMESSAGE' },
}
const names = Object.keys(bodies) as ChannelName[]

test('every channel is registered under its own name and service type', () => {
  assert.deepEqual(new Set(Object.keys(channels)), new Set(names))
  for (const name of names) {
    assert.equal(channels[name].name, name)
    assert.equal(channels[name].serviceType, bodies[name].serviceType)
  }
})

test('every channel except international may be part of a flow', () => {
  assert.deepEqual(
    names.filter((name) => channels[name].entry === null),
    ['international'],
  )
})

test('every channel has a report code for every cause', () => {
  for (const name of names)
    for (const cause of causes) assert.match(channels[name].reportCode(cause).code, /^\d{5}$/)
})

for (const name of names.filter((candidate) => candidate !== 'brandmessage')) {
  test(`${name} drafts a message of one step that names its channel and kind`, () => {
    const { body, msgType } = bodies[name]
    const { steps, ...rest } = requireValid((issues) =>
      channels[name].draft({ ...body, ref: 'order 7' }, issues),
    )
    assert.deepEqual(rest, { to: (body as { to: string }).to, ref: 'order 7' })
    assert.deepEqual(
      steps.map((step) => [step.channel, channels[step.channel].msgType(step)]),
      [[name, msgType]],
    )
    const parts = channels[name].parts(steps[0]!, 'seed')
    assert.deepEqual([parts.length, parts[0]!.part, parts[0]!.parts], [1, 1, 1])
  })
}

suite('fallbacks', () => {
  const rcs = bodies.rcs.body
  const stepsOf = (name: ChannelName, fallback: object) =>
    requireValid((issues) => channels[name].draft({ ...bodies[name].body, fallback }, issues)).steps

  test('RCS: the fallback is a second step, with the same sender unless it sets its own', () => {
    assert.deepEqual(stepsOf('rcs', { type: 'SMS', text: 'hi' })[1], { channel: 'sms', from, text: 'hi' })
    const other = stepsOf('rcs', { type: 'SMS', text: 'hi', from: '15881234', originCID: '123456789' })[1]
    assert.deepEqual(other, { channel: 'sms', from: '15881234', text: 'hi', originCid: '123456789' })
  })

  test('RCS: a fallback that exceeds an SMS is sent as a complete MMS', () => {
    const text = '가'.repeat(46)
    assert.deepEqual(stepsOf('rcs', { type: 'SMS', text })[1], { channel: 'mms', content: { from, text } })
    const files = stepsOf('rcs', { type: 'MMS', text: 'hi', title: 't', fileKey: ['a', 'b'] })[1]
    assert.deepEqual(files, {
      channel: 'mms',
      content: { from, text: 'hi', title: 't', fileKey: ['a', 'b'] },
    })
  })

  for (const name of ['alimtalk', 'friendtalk'] as const) {
    test(`${name}: the fallback is the SMS or MMS of its type`, () => {
      const sms = stepsOf(name, { type: 'SMS', from, text: 'hi' })
      assert.deepEqual(
        sms.map((step) => step.channel),
        [name, 'sms'],
      )
      const mms = stepsOf(name, { type: 'MMS', from, text: '가'.repeat(100) })
      assert.deepEqual(
        mms.map((step) => step.channel),
        [name, 'mms'],
      )
    })

    test(`${name}: the fallback is an LMS if it exceeds an SMS`, () => {
      const [, second] = stepsOf(name, { type: 'SMS', from, text: '가'.repeat(46) })
      assert.equal(second?.channel, 'mms')
    })
  }

  test('is not part of the content of the first step', () => {
    const [first] = stepsOf('rcs', { type: 'SMS', text: 'hi' })
    assert.ok(first !== undefined && 'content' in first)
    for (const field of ['fallback', 'to', 'ref']) assert.equal(field in first.content, false, field)
  })

  test('is named in its errors', () => {
    assert.throws(
      () =>
        requireValid((issues) =>
          channels.rcs.draft({ ...rcs, fallback: { type: 'SMS', text: 'hi', from: 'nobody' } }, issues),
        ),
      (error) => error instanceof Problem && error.message.includes("'fallback.from'"),
    )
  })
})
