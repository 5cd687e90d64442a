/** The oracle must find every kind of violation; otherwise a run without findings proves nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcceptedJob } from '../../../../src/jobs/jobs.ts'
import type { Step } from '../../../../src/channels/channel.ts'
import { internationalParts, countOctets } from './text.ts'
import { checkAcceptedBody } from './judge.ts'

const from = '15881588'
const to = '01012345678'
const jobOf = (steps: readonly Step[], ref?: string): AcceptedJob => ({
  v: 1,
  msgKey: 'k',
  accountId: 1,
  acceptedAt: 0,
  to,
  ...(ref === undefined ? {} : { ref }),
  steps,
})
const letters = (count: number): string => '가'.repeat(count)

/** Checks only the limits, with the body unchanged as the durable message. */
function checkRich(
  channel: 'mms' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage',
  content: object,
): string {
  return checkAcceptedBody(channel, { to, ...content }, [jobOf([{ channel, content }])]).join('; ')
}
const checkText = (sent: string, durable = sent): string =>
  checkAcceptedBody('sms', { from, to, text: sent }, [jobOf([{ channel: 'sms', from, text: durable }])]).join(
    '; ',
  )

test('counts CP949 octets and parts without code of the gateway', () => {
  assert.equal(countOctets('a가힣뷁'), 7)
  assert.equal(countOctets('한글'.normalize('NFD')), 4)
  assert.equal(countOctets('a\r\nb'), 3)
  assert.ok(Number.isNaN(countOctets('😀')))
  assert.equal(internationalParts('a'.repeat(766)), 6)
})

test('finds only texts that do not fit their channel', () => {
  assert.equal(checkText(letters(45)), '')
  assert.match(checkText(letters(45) + 'a'), /91 octets/)
  assert.match(checkText('😀'), /octets/)
  assert.equal(checkRich('mms', { from, text: letters(1_000), title: letters(20) }), '')
  assert.match(checkRich('mms', { from, text: letters(1_001) }), /2002 octets/)
  assert.match(checkRich('mms', { from, text: 'a', title: letters(21) }), /title/)
})

test('finds a durable message that differs from the sent one', () => {
  assert.equal(checkText('a\r\nb', 'a\nb'), '')
  assert.match(checkText('hello', 'hell'), /differs/)
  assert.match(
    checkAcceptedBody('sms', { from, to, text: 'a', ref: 'r' }, [
      jobOf([{ channel: 'sms', from, text: 'a' }]),
    ]).join(),
    /ref/,
  )
})

test('finds violations of the RCS format table in both styles', () => {
  const card = (standalone: object, formatId = 'SS000000') =>
    checkRich('rcs', { from, brandKey: 'b', formatId, content: { standalone } })
  assert.equal(card({ text: letters(100) }), '')
  assert.match(card({ text: letters(101) }), /101 characters/)
  assert.match(card({ text: 'a', title: 'a' }), /title/)
  assert.match(card({ text: 'a', media: 'maapfile://x' }), /no image/)
  const url = { type: 'URL', name: 'a', url: 'https://example.com' }
  assert.match(card({ text: 'a', button: [url, url] }), /2 elements/)
  assert.match(card({ title: 'a', button: [{ ...url, name: letters(17) }] }, 'OMHITV0001'), /17 characters/)
  assert.match(card({ title: 'a' }, 'OMHITV0001'), /media/)
  const images = { media1: 'maapfile://BR.a', media2: 'maapfile://BR.b' }
  const expert = (body: object) =>
    checkRich('rcs', { from, brandKey: 'b', formatId: 'CMwShS0200', body: { ...images, ...body } })
  assert.match(expert({ media2: '' }), /1 images, not 2/)
  assert.equal(expert({ description1: letters(650), description2: letters(650) }), '')
  assert.match(expert({ description1: letters(650), description2: letters(651) }), /1301/)
  assert.match(expert({ title3: 'a' }), /does not have/)
})

test('finds violations of the limits of Kakao messages', () => {
  const notice = { senderKey: 'k', msgType: 'AT', templateCode: 't', text: letters(1_000) }
  assert.equal(checkRich('alimtalk', notice), '')
  assert.match(checkRich('alimtalk', { ...notice, text: letters(1_001) }), /1001/)
  const six = Array.from({ length: 6 }, () => ({ type: 'BK', name: 'a' }))
  assert.match(checkRich('alimtalk', { ...notice, button: six }), /6 elements/)
  assert.match(checkRich('friendtalk', { senderKey: 'k', msgType: 'FI', text: 'a' }), /image missing/)
  assert.match(
    checkRich('friendtalk', { senderKey: 'k', msgType: 'FW', text: letters(77), imgUrl: 'x' }),
    /77/,
  )
  assert.match(
    checkRich('brandmessage', { senderKey: 'k', msgType: 'FT', sendType: 'basic', text: 'a' }),
    /targeting/,
  )
})

test('fills placeholders once and finds missing values', () => {
  const body = (text: string) => ({
    destinations: [{ to, replaceWords: { name: '#{other}', constructor: 'c' } }],
    messageFlow: [{ sms: { from, text } }],
  })
  const check = (sent: string, durable: string): string =>
    checkAcceptedBody('omni', body(sent), [jobOf([{ channel: 'sms', from, text: durable }])]).join('; ')
  assert.equal(check('a #{name} b', 'a #{other} b'), '')
  assert.equal(check('#{} #{ #{constructor}', '#{} #{ c'), '')
  assert.match(check('#{name}', '#{name}'), /differs/)
  assert.match(check('#{toString}', 'x'), /without a value/)
  assert.equal(check(`${letters(41)}#{name}`, `${letters(41)}#{other}`), '')
  assert.match(check(`${letters(42)}#{name}`, `${letters(42)}#{other}`), /92 octets/)
})

test('finds too many destinations and steps', () => {
  const step = { sms: { from, text: 'a' } }
  const eleven = Array.from({ length: 11 }, () => ({ to }))
  const none = eleven.map(() => undefined)
  assert.match(
    checkAcceptedBody('omni', { destinations: eleven, messageFlow: [step] }, none).join(),
    /11 elements/,
  )
  const seven = Array.from({ length: 7 }, () => step)
  assert.match(
    checkAcceptedBody('omni', { destinations: [{ to }], messageFlow: seven }, [undefined]).join(),
    /7 elements/,
  )
})
