import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { rbmOptions, rcsSubmission } from '../../../../test/support/carriers/rbm.ts'
import type { JsonFields } from '../http/json.ts'
import { toAgentMessage } from './message.ts'
import { UnsupportedContent } from './unsupported.ts'

const image = 'maapfile://BR.acme.1'
const base = { from: '15881234', to: '01012345678', brandKey: 'BK.acme' }
const card = (button: object) => ({
  formatId: 'SL000000',
  content: { standalone: { text: '본문', button: [button] } },
})
const expert = (body: object, suggestion?: object) => ({
  formatId: 'SL000000',
  body,
  ...(suggestion === undefined ? {} : { buttons: [{ suggestions: [suggestion] }] }),
})

function write(body: object, overrides: object = {}): JsonFields {
  const { message } = rcsSubmission({ ...base, ...body })
  assert.ok(message.channel === 'rcs')
  return toAgentMessage(rbmOptions(overrides), message.content, new Date(0), (key) => key)
}

const refusals: Readonly<Record<string, readonly [body: object, code: string]>> = {
  'an issued template': [{ formatId: 'UBR.acme', content: { template: { name: '홍길동' } } }, 'template'],
  'a button that copies': [card({ type: 'COPY', name: '복사', text: '123456' }), 'button'],
  'a button that writes a message': [
    card({ type: 'COM_T', name: '문자', phoneNumber: '0212345678', text: '안녕' }),
    'button',
  ],
  'a button that records a message': [
    card({ type: 'COM_V', name: '영상', phoneNumber: '0212345678' }),
    'button',
  ],
  'a button to a special number': [card({ type: 'DIAL', name: '신고', phoneNumber: '112' }), 'phone-number'],
  'the title of an event of 101 characters': [
    card({
      type: 'CALENDAR',
      name: '일정',
      title: '가'.repeat(101),
      description: '나',
      startTime: '2026-11-20T09:00:00+09:00',
      endTime: '2026-11-20T10:00:00+09:00',
    }),
    'length',
  ],
  'an address of 2049 characters': [
    card({ type: 'URL', name: '보기', url: `https://example.com/${'a'.repeat(2029)}` }),
    'length',
  ],
  'an unknown field of the body': [expert({ description: '본문', mTitle: '제목' }), 'body'],
  'a field of the body that is an object': [expert({ description: '본문', layout: {} }), 'body'],
  'the field of another card': [
    { formatId: 'CMwMhM0200', body: { title: '하나', media1: image, media2: image } },
    'body',
  ],
  'a card without content': [expert({}), 'empty-card'],
  'a button that posts parameters': [
    expert(
      { description: '본문' },
      {
        action: {
          displayText: '보기',
          localBrowserAction: { openUrl: { url: 'https://example.com/', postParameter: { a: 'b' } } },
        },
      },
    ),
    'button',
  ],
  'a map action that is not known': [
    expert({ description: '본문' }, { action: { displayText: '지도', mapAction: { other: {} } } }),
    'button',
  ],
  'a postback of 2049 characters': [
    expert({ description: '본문' }, { reply: { displayText: '예', postback: { data: 'x'.repeat(2049) } } }),
    'length',
  ],
}

suite('refused', () => {
  for (const [name, [body, code]] of Object.entries(refusals))
    test(name, () => {
      assert.throws(
        () => write(body),
        (error: unknown) => {
          assert.ok(error instanceof UnsupportedContent, String(error))
          assert.equal(error.code, `rbm:${code}`)
          assert.ok(!error.message.includes('본문') && !error.message.includes('홍길동'))
          const outcome = error.toOutcome()
          assert.ok(outcome.kind === 'refused' && outcome.cause === 'unsupported')
          return true
        },
      )
    })
})

test('traffic types, labels and prefixes are options', () => {
  const media = {
    formatId: 'SMwThT00',
    content: { standalone: { title: '제목', media: image, mediaUrl: 'https://a.kr/' } },
  }
  const plain = write(media, { trafficType: 'TRANSACTION', mediaUrlLabel: '' })
  assert.equal(plain['messageTrafficType'], 'TRANSACTION')
  assert.ok(!JSON.stringify(plain).includes('openUrlAction'))
  assert.match(
    JSON.stringify(write(media, { mediaUrlLabel: '자세히' })),
    /"text":"자세히".*https:\/\/a\.kr\//,
  )
  const advertisement = { ...media, header: '1', footer: '0801234567' }
  const prefixed = write(advertisement, {
    advertisementTrafficType: 'none',
    advertisementPrefix: 'Ad: ',
    optOutPrefix: 'Stop ',
  })
  assert.ok(!('messageTrafficType' in prefixed))
  assert.match(JSON.stringify(prefixed), /"title":"Ad: 제목","description":"Stop 0801234567"/)
})
