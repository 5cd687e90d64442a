import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buttonRows, rcsButtonTypes, type ButtonField, type ButtonType } from './limits.ts'
import type { RcsButton } from './schema.ts'
import { entryOf, letters, refuses, takes } from '../../../test/support/carriers/rcs.ts'

const examples: Readonly<Record<ButtonType, RcsButton>> = {
  URL: { type: 'URL', name: 'Open', url: 'https://example.com/a?b=c' },
  MAP_LOC: {
    type: 'MAP_LOC',
    name: 'Map',
    label: 'Office',
    latitude: '37.4001971',
    longitude: '127.1071718',
    fallbackUrl: 'https://example.com/map',
  },
  MAP_QRY: { type: 'MAP_QRY', name: 'Find', query: 'Seoul City Hall', fallbackUrl: 'https://example.com/' },
  MAP_SEND: { type: 'MAP_SEND', name: 'Where I am' },
  CALENDAR: {
    type: 'CALENDAR',
    name: 'Add',
    title: 'Visit of the engineer',
    description: 'At home',
    startTime: '2026-02-28T09:00:00+09:00',
    endTime: '2026-02-28T01:30:00Z',
  },
  COPY: { type: 'COPY', name: 'Copy', text: 'ABC-123' },
  COM_T: { type: 'COM_T', name: 'Write', phoneNumber: '01012345678', text: 'Hello' },
  COM_V: { type: 'COM_V', name: 'Record', phoneNumber: '01012345678' },
  DIAL: { type: 'DIAL', name: 'Call', phoneNumber: '15881234' },
}

const path = 'content.standalone.button[0]'
const withButton = (button: RcsButton) =>
  entryOf('SL000000', { content: { standalone: { text: '안', button: [button] } } })

test('there are nine types of button', () => {
  assert.deepEqual(rcsButtonTypes, Object.keys(examples))
})

test('RCS button MAP_QRY: a label is accepted, since a published SDK always sends one', () => {
  takes(withButton({ ...examples.MAP_QRY, label: 'City Hall' }))
})

const formats: readonly (readonly [ButtonType, ButtonField, readonly string[], readonly string[]])[] = [
  [
    'URL',
    'url',
    ['http://a.kr', 'myapp://open/1', 'https://예시.한국/가'],
    ['example.com', 'https://', 'a b', 'tel:112'],
  ],
  ['MAP_LOC', 'latitude', ['90', '-90', '0', '37.5'], ['90.1', '-90.1', '37,5', '1e1', 'north', '+37']],
  ['MAP_LOC', 'longitude', ['180', '-180', '127.1'], ['180.1', '-180.0001', '0x10', ' 1']],
  ['MAP_LOC', 'label', [letters(200)], [letters(201)]],
  [
    'MAP_LOC',
    'fallbackUrl',
    [`https://a.kr/${'a'.repeat(987)}`],
    [`https://a.kr/${'a'.repeat(988)}`, 'app://x', 'x'],
  ],
  ['MAP_QRY', 'query', [letters(200)], [letters(201)]],
  ['CALENDAR', 'description', [letters(500)], [letters(501)]],
  ['COPY', 'text', [letters(200)], [letters(201)]],
  ['COM_T', 'text', [letters(100)], [letters(101)]],
  [
    'DIAL',
    'phoneNumber',
    ['112', '+821012345678', '1'.repeat(15)],
    ['11', '1'.repeat(16), '02-123-4567', 'ACME'],
  ],
  ['COM_T', 'phoneNumber', ['0212345678'], ['0212345678 ']],
  ['COM_V', 'phoneNumber', ['0212345678'], ['(02)12345678']],
  [
    ...(['CALENDAR', 'startTime'] as const),
    ['2024-02-29T00:00:00+09:00', '2025-12-31T23:59:59Z', '2025-01-01T00:00:00-11:30'],
    [
      ...['2026-02-29T00:00:00+09:00', '2026-01-01T24:00:00+09:00', '2026-01-01T00:00:00', '2026-01-01'],
      ...['2026-01-01 00:00:00+09:00', '2026-01-01T00:00:00+0900', '2026-01-01T00:00:00.000+09:00', 'now'],
    ],
  ],
]

for (const [type, field, taken, refused] of formats) {
  test(`RCS button ${type}: format of ${field}`, () => {
    for (const value of taken) takes(withButton({ ...examples[type], [field]: value }))
    for (const value of refused) {
      refuses(withButton({ ...examples[type], [field]: value }), buttonRows[type].code, `${path}.${field}`)
    }
  })
}

test('RCS button CALENDAR: never ends before it starts, whatever the offsets', () => {
  const at = (hour: number, offset: number) =>
    `2026-01-15T${String(hour).padStart(2, '0')}:00:00+${String(offset).padStart(2, '0')}:00`
  const moment = fc.tuple(fc.nat(23), fc.nat(14))
  fc.assert(
    fc.property(moment, moment, ([h1, o1], [h2, o2]) => {
      const entry = withButton({ ...examples.CALENDAR, startTime: at(h1, o1), endTime: at(h2, o2) })
      if (h2 - o2 >= h1 - o1) takes(entry)
      else refuses(entry, 'A430', `${path}.endTime`)
    }),
  )
})
