/**
 * Generates valid RCS messages: every format, every type of button, templates, and the carriers' own style.
 */
import fc from 'fast-check'
import { buttonFields, formatRows, type FormatRow } from '../oracle/rcs-formats.ts'
import { rcsFallback } from './plain.ts'
import { address, fields, many, media, recipient, ref, sender, words } from './values.ts'

const maxLabel = 17
const phoneNumber = fc.constantFrom('15881588', '112', '+821012345678')
const web = fc.constantFrom('https://example.com/map', 'http://example.com')
const when = fc.constantFrom('2026-01-31T09:00:00+09:00', '2026-01-31T09:00:00Z')

function button(label: number): fc.Arbitrary<unknown> {
  const name = words(Math.min(label, maxLabel))
  const kind = (type: string, rest: Record<string, fc.Arbitrary<unknown>>) =>
    fields({ type: fc.constant(type), name, ...rest }, ['type', 'name', ...(buttonFields[type] ?? [])])
  return fc.oneof(
    kind('URL', { url: address }),
    kind('MAP_LOC', {
      label: words(50),
      latitude: fc.constantFrom('37.5', '-90', '90.0'),
      longitude: fc.constantFrom('127.01', '-180', '180'),
      fallbackUrl: web,
    }),
    kind('MAP_QRY', { query: words(50), fallbackUrl: web }),
    kind('MAP_SEND', {}),
    kind('CALENDAR', { startTime: when, endTime: when, title: words(17), description: words(100) }),
    kind('COPY', { text: words(100) }),
    kind('COM_T', { phoneNumber, text: words(100) }),
    kind('COM_V', { phoneNumber }),
    kind('DIAL', { phoneNumber }),
  )
}

const subContent = fields(
  { subTitle: words(33), subDesc: words(33), subMedia: media, subMediaUrl: address },
  ['subTitle'],
)

function card(row: FormatRow, text: number): fc.Arbitrary<Record<string, unknown>> {
  const model = {
    ...(row.title > 0 ? { title: words(row.title) } : {}),
    ...(text > 0 ? { text: words(text) } : {}),
    ...(row.image ? { media, mediaUrl: fc.oneof(address, fc.constant('\\')) } : {}),
    ...(row.subInfos > 0 ? { subContent: many(subContent, 0, row.subInfos) } : {}),
    button: many(button(row.label), 0, row.buttons),
  }
  return fields(model, [row.image ? 'media' : 'text'])
}

function simple(row: FormatRow): fc.Arbitrary<Record<string, unknown>> {
  const content =
    row.cards === 1
      ? fc.record({ standalone: card(row, row.text) })
      : fc.record({ carousel: many(card(row, Math.floor(row.text / row.cards)), row.cards, row.cards) })
  return fc.record({ formatId: fc.constant(row.id), content })
}

const suggestion = (label: number) =>
  fc.record({
    action: fields(
      {
        urlAction: fc.record({ openUrl: fc.record({ url: address }) }),
        displayText: words(Math.min(label, maxLabel)),
        postback: fc.record({ data: words(30) }),
      },
      ['urlAction', 'displayText'],
    ),
  })

function expert(row: FormatRow): fc.Arbitrary<Record<string, unknown>> {
  const numbers = row.cards === 1 ? [''] : Array.from({ length: row.cards }, (_, index) => String(index + 1))
  const body = Object.assign(
    {},
    ...numbers.map((number) => ({
      ...(row.title > 0 ? { [`title${number}`]: words(row.title) } : {}),
      ...(row.text > 0 ? { [`description${number}`]: words(Math.floor(row.text / row.cards)) } : {}),
      ...(row.image ? { [`media${number}`]: media } : {}),
    })),
    { cellLeft1: words(20), extra: fc.record({ any: words(5) }) },
  ) as Record<string, fc.Arbitrary<unknown>>
  return fields(
    {
      formatId: fc.constant(row.id),
      body: fields(body, row.image ? numbers.map((number) => `media${number}`) : []),
      buttons: many(fields({ suggestions: many(suggestion(row.label), 0, row.buttons) }, []), 0, row.cards),
    },
    ['formatId', 'body'],
  )
}

const template = fc.record({
  formatId: fc.constantFrom('UBR.abc1234567-OR000001', 'TMPL0001'),
  content: fc.record({
    template: fields(
      { title: words(30), description: words(100), name: words(20), subContent: many(subContent, 0, 3) },
      [],
    ),
  }),
})

const message = fc.oneof(
  { weight: 6, arbitrary: fc.oneof(...formatRows.map(simple)) },
  { weight: 3, arbitrary: fc.oneof(...formatRows.map(expert)) },
  { weight: 1, arbitrary: template },
)

const shared = {
  from: sender,
  brandKey: words(40),
  brandId: words(20),
  expiryOption: fc.constantFrom('1', '2', '3', '4'),
  header: fc.constantFrom('0', '1'),
  footer: words(100),
}
const joined = (options: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(options, message).map(([some, rest]) => ({ ...some, ...rest }))

export const rcs = joined(
  fields({ ...shared, to: recipient, ref, fallback: rcsFallback }, ['from', 'brandKey', 'to', 'footer']),
)
export const rcsEntry = joined(
  fields({ ...shared, copyAllowed: fc.constantFrom('0', '1'), ttl: fc.constantFrom('1', '86400') }, [
    'from',
    'footer',
  ]),
)
