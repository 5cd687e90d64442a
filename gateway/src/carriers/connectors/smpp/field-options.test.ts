import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../test/support/measure/cpu-time.ts'
import { international } from '../../../channels/international/international.ts'
import { countInternationalParts } from '../../../channels/text/parts.ts'
import type { Submission } from '../connector.ts'
import { getSubmissionUnit } from '../registry.ts'
import { submitBodyWriter, type SubmitBody } from './submission.ts'
import { submission, testOptions } from '../../../../test/support/smpp/fixtures.ts'

function writeSubmission(options: object, overrides: Partial<Submission>) {
  return submitBodyWriter(testOptions(options))(submission(overrides), Date.now())
}
function body(options: object, overrides: Partial<Submission>): SubmitBody {
  const written = writeSubmission(options, overrides)
  assert.ok(!('kind' in written), JSON.stringify(written))
  return written
}
const stepOf = (text: string) => ({ channel: 'international', from: 'ACMEIN', text }) as const
/** The submissions of a text, as dispatch makes them for a route with these options. */
function submit(text: string, options: object): SubmitBody[] {
  const given = stepOf(text)
  const unit = getSubmissionUnit('smpp', { host: 'h', systemId: 's', ...options })
  const parts = international.parts(given, 'seed', unit === 'wide-parts')
  const to = '+919812345678'
  if (unit === 'message') return [body(options, { given, to, part: null })]
  return parts.map((part) => body(options, { given, to, part }))
}
const hexOf = (octets: Uint8Array): string => Buffer.from(octets).toString('hex')
const tagsOf = ({ tlvs = [] }: SubmitBody) => tlvs.map(({ tag, value }) => [tag, hexOf(value)])

test('parts of a long text have a reference header and fit 140 octets', () => {
  const text = 'a'.repeat(153 * 3)
  const narrow = submit(text, {})
  assert.deepEqual(
    narrow.map(({ shortMessage }) => [hexOf(shortMessage.subarray(0, 3)), shortMessage.length]),
    [
      ['050003', 159],
      ['050003', 159],
      ['050003', 159],
    ],
  )
  const fitting = 'a'.repeat(152 * 3)
  const wide = submit(fitting, { longMessages: 'udh16' })
  assert.deepEqual(
    wide.map(({ shortMessage, esmClass }) => [
      ...[esmClass, hexOf(shortMessage.subarray(0, 3)), hexOf(shortMessage.subarray(5, 7))],
      shortMessage.length - 7,
    ]),
    [
      [0x40, '060804', '0301', 152],
      [0x40, '060804', '0302', 152],
      [0x40, '060804', '0303', 152],
    ],
  )
  const packed = submit(fitting, { longMessages: 'udh16', defaultAlphabet: 'gsm7-packed' })
  assert.deepEqual(
    packed.map(({ shortMessage }) => shortMessage.length),
    [140, 140, 140],
  )
})

test('uses 8-bit references if 16-bit ones need more parts than were counted at accept', () => {
  for (const text of ['a'.repeat(765), '가'.repeat(335)]) {
    const parts = submit(text, { longMessages: 'udh16' })
    assert.equal(parts.length, countInternationalParts(text).parts)
    assert.deepEqual(
      [...new Set(parts.map(({ shortMessage }) => hexOf(shortMessage.subarray(0, 3))))],
      ['050003'],
    )
  }
})

test('a long text has its segment info in parameters, or is sent whole, if configured', () => {
  const text = '가'.repeat(67 + 3)
  const longer = `${text}!`
  const sar = submit(longer, { longMessages: 'sar' })
  assert.deepEqual(
    sar.map((part) => [part.esmClass, part.shortMessage.length, tagsOf(part).slice(1)]),
    [
      [
        0,
        134,
        [
          [0x020e, '02'],
          [0x020f, '01'],
        ],
      ],
      [
        0,
        8,
        [
          [0x020e, '02'],
          [0x020f, '02'],
        ],
      ],
    ],
  )
  assert.equal(tagsOf(sar[0]!)[0]![0], 0x020c)
  const [payload, ...others] = submit(longer, { longMessages: 'payload' })
  assert.deepEqual([others.length, payload!.shortMessage.length, payload!.esmClass], [0, 0, 0])
  assert.deepEqual(tagsOf(payload!), [[0x0424, hexOf(Buffer.from(longer, 'utf16le').swap16())]])
  const [short] = submit(text, { longMessages: 'payload' })
  assert.deepEqual([short!.shortMessage.length, short!.tlvs], [140, undefined])
})

test('sends all parts of a Latin-1 text in Latin-1 if configured', () => {
  const text = `${'x'.repeat(80)}ïï`
  const latin = submit(text, { dataCoding: { latin1: 3 } })
  assert.deepEqual(
    latin.map(({ dataCoding, shortMessage }) => [dataCoding, shortMessage.length]),
    [
      [3, 73],
      [3, 21],
    ],
  )
  assert.deepEqual(
    submit(text, {}).map(({ dataCoding }) => dataCoding),
    [8, 8],
  )
  assert.deepEqual(
    submit(`${text}가`, { dataCoding: { latin1: 3 } }).map(({ dataCoding }) => dataCoding),
    [8, 8],
  )
})

test('the first matching rule decides the type and format of an address', () => {
  const options = {
    addressRules: [
      { of: 'source', kind: 'domestic', maxLength: 6, ton: 3, npi: 0 },
      { kind: 'domestic', prefix: '0', ton: 1, npi: 1, format: 'international' },
      { of: 'destination', prefix: '+1', ton: 1, npi: 8, format: 'e164' },
      { of: 'source', kind: 'text', ton: 5, npi: 9 },
    ],
  }
  const typesOf = (from: string, to: string) => {
    const { sourceTon, sourceNpi, source, destinationTon, destinationNpi, destination } = body(options, {
      from,
      to,
    })
    return [
      [sourceTon, sourceNpi, source],
      [destinationTon, destinationNpi, destination],
    ]
  }
  assert.deepEqual(typesOf('12345', '01012345678'), [
    [3, 0, '12345'],
    [1, 1, '821012345678'],
  ])
  assert.deepEqual(typesOf('ACME', '+14155550100'), [
    [5, 9, 'ACME'],
    [1, 8, '+14155550100'],
  ])
  // No rule applies, so the defaults are used.
  assert.deepEqual(typesOf('15881588', '+819012345678'), [
    [2, 1, '15881588'],
    [1, 1, '819012345678'],
  ])
})

test('parameters have the value of the template, the sender or the route', () => {
  const options = {
    parameters: [
      { tag: 0x1400, bySender: { ACMEIN: '1201159' }, required: true },
      {
        tag: 0x1401,
        type: 'text',
        required: true,
        byText: [
          { text: 'Your code is {#var#}. Do not share it.', value: '1007001' },
          { text: 'Dear {#var#}, {#var#}{#var#} is due', value: '1007002' },
        ],
      },
      { tag: 0x1402, type: 'u16', value: '513' },
      { tag: 0x1403, type: 'hex', value: 'C0FF' },
    ],
  }
  const write = (text: string, from = 'ACMEIN') =>
    writeSubmission(options, { from, given: { ...stepOf(text), from }, to: '+919812345678' })
  const written = write('Your code is 4711. Do not share it.')
  assert.ok(!('kind' in written))
  assert.deepEqual(tagsOf(written), [
    [0x1400, hexOf(Buffer.from('1201159\0'))],
    [0x1401, hexOf(Buffer.from('1007001'))],
    [0x1402, '0201'],
    [0x1403, 'c0ff'],
  ])
  const second = write('Dear Asha, the second instalment of your loan is due')
  assert.ok(!('kind' in second))
  assert.equal(tagsOf(second)[1]![1], hexOf(Buffer.from('1007002')))
  for (const refused of [
    write(`Your code is ${'4'.repeat(31)}. Do not share it.`),
    write('Your code is 4711. Do not share it. Really.'),
    write('Your code is 4711. Do not share it.', 'OTHER'),
  ])
    assert.ok('kind' in refused && refused.code === 'smpp:parameter' && refused.cause === 'unsupported')
})

test('a template with many variables is compared within two seconds', () => {
  const text = `${'{#var#}'.repeat(100)}!`
  const options = { parameters: [{ tag: 0x1401, required: true, byText: [{ text, value: '1' }] }] }
  const elapsedMs = cpuMs(() =>
    assert.ok('kind' in writeSubmission(options, { given: stepOf('a'.repeat(760)) })),
  )
  assert.ok(elapsedMs < 2_000, `${elapsedMs} ms`)
})
