import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  classifySender,
  isInternationalRecipient,
  isRecipient,
  maskNumber,
  getSenderNumberKind,
  toKoreanNumber,
} from './numbers.ts'

const isSender = (number: string): boolean => getSenderNumberKind(number) === 'ordinary'

const malformed = [
  '',
  ' ',
  'abc',
  '010-1234-5678',
  '010 12345678',
  '01012345678 ',
  '01012345678\n',
  '０１０１２３４５６７８',
]

interface Shape {
  readonly name: string
  readonly test: (number: string) => boolean
  readonly accepted: readonly string[]
  readonly rejected: readonly string[]
}

const shapes: readonly Shape[] = [
  {
    name: 'isRecipient',
    test: isRecipient,
    accepted: [
      ...['01012345678', '0111234567', '0161234567', '0171234567', '0181234567', '0191234567'],
      ...['021234567', '0212345678', '0311234567', '03112345678', '07012345678', '050512345678', '02123456'],
    ],
    rejected: [
      '0212345',
      '0101234567890',
      '1012345678',
      '15881234',
      '+821012345678',
      '821012345678',
      '001376312345',
    ],
  },
  {
    name: 'isInternationalRecipient',
    test: isInternationalRecipient,
    accepted: ['+821012345678', '+12025550123', '+65812345', '+6834000', '+123456789012345'],
    rejected: [
      '+123456',
      '+1234567890123456',
      '+0821012345678',
      '821012345678',
      '01012345678',
      '++12025550123',
      '+',
    ],
  },
  {
    name: 'isSender',
    test: isSender,
    accepted: [
      ...['01012345678', '021234567', '0212345678', '0311234567', '06412345678', '02123456'],
      ...['15881234', '16001234', '18001234', '07012345678', '0801234567', '03012345678', '030123456789'],
    ],
    rejected: [
      // Representative numbers: neither shorter nor longer, nor after an area code.
      ...['1588123', '158812345', '0215881234', '03116001234', '06418001234'],
      // 050x, 030 too short, anything else too long or too short.
      ...['05012345678', '050512345678', '0301234567', '0301234567890', '070123456789', '0212345'],
      // Mobile numbers that no longer exist, and lengths that never did.
      ...['0111234567', '01612345678', '0101234567', '010123456789'],
      // Special numbers, numbers without their area code, international forms.
      ...[
        '112',
        '1335',
        '114',
        '12345678',
        '23456789',
        '0082101234',
        '00182101234',
        '+821012345678',
        '821012345678',
      ],
      'ACME',
    ],
  },
]

for (const shape of shapes) {
  for (const number of shape.accepted) {
    test(`${shape.name} accepts ${number}`, () => assert.equal(shape.test(number), true))
  }
  for (const number of [...shape.rejected, ...malformed]) {
    test(`${shape.name} rejects ${JSON.stringify(number)}`, () => assert.equal(shape.test(number), false))
  }
}

for (const [kind, numbers] of Object.entries({
  special: ['112', '114', '1335', '182'],
  'old-mobile': ['0111234567', '01612345678', '0191234567'],
  forwarding: ['05012345678', '050512345678'],
})) {
  test(`${kind} senders are distinguished from ordinary ones`, () => {
    for (const number of numbers) assert.equal(getSenderNumberKind(number), kind, number)
  })
}

for (const [form, senders] of [
  ['domestic', ['0234567890', '15881234', '112', '05012345678']],
  ['foreign', ['+12025550123', '+447700900123', '+6834000']],
  ['alphanumeric', ['Acme', 'ACME', 'Bank 24', 'AD-Acme', '24h', 'A&B_Co.', 'A'.repeat(11)]],
  [null, ['', '   ', '+82234567890', '+123456', '12025550123', '123-456', '+1CALL', '한국 은행']],
  [null, ['Ac', 'A'.repeat(12), 'Acme ', ' Acme', 'Acme\n', 'Acmé', 'Acme!']],
] as const) {
  test(`classifySender returns ${form} for ${JSON.stringify(senders)}`, () => {
    for (const sender of senders) assert.equal(classifySender(sender), form, sender)
  })
}

for (const [number, domestic] of [
  ['+821012345678', '01012345678'],
  ['+8201012345678', '01012345678'],
  ['+82234567890', '0234567890'],
  ['+8215881588', '15881588'],
  ['+82', null],
  ['+8210-1234', null],
  ['+12025550123', null],
  ['01012345678', null],
] as const) {
  test(`toKoreanNumber returns ${domestic} for ${number}`, () =>
    assert.equal(toKoreanNumber(number), domestic))
}

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: min, maxLength: max })

test('never accepts a number as both domestic and international', () => {
  fc.assert(
    fc.property(fc.constantFrom('', '0', '+', '+0'), digits(0, 17), (start, rest) => {
      const number = start + rest
      const isDomestic = number.startsWith('0') && !number.startsWith('00')
      assert.equal(isRecipient(number), isDomestic && number.length >= 8 && number.length <= 12)
      assert.ok(!(isRecipient(number) && isInternationalRecipient(number)))
    }),
  )
})

test('never accepts a sender shorter than 8 digits or longer than 11, 030 excepted', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', '0', '010', '030', '050', '070', '1588', '02'),
      digits(0, 14),
      (start, rest) => {
        const number = start + rest
        const maxLength = number.startsWith('030') ? 12 : 11
        if (isSender(number)) assert.ok(number.length >= 8 && number.length <= maxLength)
      },
    ),
    { numRuns: 1000 },
  )
})

test('shows only the last four digits of a number, and nothing of a shorter one', () => {
  assert.equal(maskNumber('01012345678'), '*******5678')
  assert.equal(maskNumber('+821012345678'), '*********5678')
  assert.equal(maskNumber('12345'), '*2345')
  assert.equal(maskNumber('1335'), '****')
  assert.equal(maskNumber(''), '')
})
