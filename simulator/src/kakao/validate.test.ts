import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFields } from '../shared/json-body.ts'
import { seededRandom } from '../shared/unique-numbers.ts'
import { formData } from '../testing/kakao-client.ts'
import { mutate, rounds } from '../testing/mutate.ts'
import { kakaoResultCodes } from './codes.ts'
import { KakaoImages } from './images.ts'
import { defaults } from './settings.ts'
import { validateKakaoRequest } from './validate.ts'

const sample = Buffer.from(
  JSON.stringify({
    chat_bubble_type: 'IMAGE',
    serial_number: '20261115-1',
    sender_key: 'a'.repeat(40),
    phone_number: '821012345678',
    message: '안녕하세요',
    targeting: 'I',
    attachment: { button: [{ name: 'a', type: 'WL' }], image: { img_url: 'https://mud-kage.kakao.com/a' } },
  }),
)

const requests = rounds(5000)

test(`accepts or refuses ${requests} mutated requests with a code`, () => {
  const random = seededRandom(3)
  const outcomes = new Map<string, number>()
  for (let round = 0; round < requests; round++) {
    const body = mutate(sample, random)
    const fields = parseFields(body, 131_072)
    const context = { options: defaults, bytes: body.length, isKnownImage: () => true }
    const result = fields === undefined ? '1001' : validateKakaoRequest('brandmessage', fields, context)
    const outcome = typeof result === 'string' ? result : 'accepted'
    assert.ok(outcome === 'accepted' || Object.hasOwn(kakaoResultCodes, outcome), outcome)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  for (const outcome of ['accepted', '1001', '1003']) {
    assert.ok((outcomes.get(outcome) ?? 0) > requests / 100, `${outcome}: ${outcomes.get(outcome)}`)
  }
})

const uploads = rounds(2000)

test(`accepts or refuses ${uploads} mutated uploads and knows the URLs of accepted ones`, () => {
  const random = seededRandom(4)
  const { contentType, body } = formData('image', Buffer.from([0xff, 0xd8, 0xff, 0xe0]))
  const images = new KakaoImages(1000)
  for (let round = 0; round < uploads; round++) {
    const url = images.upload(contentType, mutate(body, random))
    assert.ok(url === undefined || images.knows(url))
  }
  assert.ok(
    images.uploads > uploads / 20 && images.uploads < uploads * 0.95,
    `${images.uploads} were accepted`,
  )
})

test('a serial number must begin with a date and a hyphen if configured', () => {
  const context = { options: { ...defaults, serialPrefix: true }, bytes: 100, isKnownImage: () => true }
  const fields = JSON.parse(sample.toString()) as Record<string, unknown>
  const check = (serial: string): unknown =>
    validateKakaoRequest('brandmessage', { ...fields, serial_number: serial }, context)
  assert.equal(typeof check('20261115-1'), 'object')
  for (const wrong of ['1', '2026-11-15', '20261115', '20261115-']) assert.equal(check(wrong), '2006', wrong)
})
