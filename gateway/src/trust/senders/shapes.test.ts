import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSenderValue } from './registration.ts'
import { findNumberShape } from './shapes.ts'

const forms: readonly (readonly [string, string | undefined])[] = [
  ['01023456789', 'mobile'],
  ['01099999999', 'mobile'],
  ['01012345678', undefined],
  ['01003456789', undefined],
  ['0102345678', undefined],
  ['0112345678', 'old mobile'],
  ['01912345678', 'old mobile'],
  ['07023456789', 'internet telephony'],
  ['07012345678', undefined],
  ['0702345678', undefined],
  ['15881234', 'representative'],
  ['16001234', 'representative'],
  ['18001234', 'representative'],
  ['1588123', undefined],
  ['158812345', undefined],
  ['0215881234', undefined],
  ['03118001234', undefined],
  ['0801234567', 'common service'],
  ['08012345678', 'common service'],
  ['03012345678', 'unified messaging'],
  ['030123456789', 'unified messaging'],
  ['0301234567', undefined],
  ['05012345678', 'forwarding'],
  ['050512345678', 'forwarding'],
  ['0601234567', 'premium'],
  ['0212345678', 'landline'],
  ['02123', undefined],
  ['0234567890', 'landline'],
  ['022345678', 'landline'],
  ['0312345678', 'landline'],
  ['0642345678', 'landline'],
  ['0382345678', undefined],
  ['112', 'special'],
  ['1335', 'special'],
  ['12345', undefined],
  ['821012345678', undefined],
  ['', undefined],
]

for (const [number, name] of forms)
  test(`${number === '' ? 'an empty text' : number} is classified as ${name ?? 'no sender number'}`, () => {
    assert.equal(findNumberShape(number)?.name, name)
  })

test('a number that can never send cannot be registered; the error has the reason', () => {
  assert.throws(
    () => checkSenderValue('number', '05012345678'),
    /forwards to another .* allow its kind in POSTERN_SENDER_KINDS/,
  )
  assert.throws(() => checkSenderValue('number', '0112345678'), /2G/)
  assert.throws(() => checkSenderValue('number', '010-2345-6789'), /digits only/)
  for (const number of ['01023456789', '0601234567', '112']) checkSenderValue('number', number)
  // Allowed kinds can be registered: otherwise nothing could ever send from them.
  checkSenderValue('number', '05012345678', ['forwarding'])
  assert.throws(() => checkSenderValue('number', '0112345678', ['forwarding']), /2G/)
})

test('keys and sender ids have their own forms', () => {
  for (const [kind, value] of [
    ['international', '+6591234567'],
    ['international', 'AD-Acme 24'],
    ['chatbot', '0234567890'],
    ['brand', 'BR.a1B2'],
    ['kakao-key', '@shop'],
    ['kakao-template', 'order_v2'],
  ] as const)
    checkSenderValue(kind, value)
  for (const [kind, value] of [
    ['international', '6591234567'],
    ['international', '0234567890'],
    ['international', '+82234567890'],
    ['international', ''],
    ['brand', 'a b'],
    ['kakao-template', 'a\nb'],
  ] as const)
    assert.throws(() => checkSenderValue(kind, value), /must be/)
})
