/** Checks the limits of an RCS message, in the simple and in the expert style, by the specification's table of formats. */
import { toFields, toArray, type Violations, type Fields } from './fields.ts'
import {
  buttonFields,
  maxDetailText,
  formatRows,
  loosestTemplate,
  unknownFormat,
  type FormatRow,
} from './rcs-formats.ts'
import { countUnits } from './text.ts'

const kinds = ['standalone', 'carousel', 'template']

export function checkRcs(content: Fields, found: Violations, at: string): void {
  found.matches(content['from'], /^\d{7,15}$/, `${at}from`)
  found.needs(content['formatId'], 40, `${at}formatId`)
  const row = formatRows.find(({ id }) => id === content['formatId'])
  if (content['body'] === undefined) checkSimple(toFields(content['content']), row, found, `${at}content.`)
  else checkExpert(content, row ?? unknownFormat, found, at)
  found.expect(content['content'] === undefined || content['body'] === undefined, `${at}content and body`)
  const { expiryOption, header, footer } = content
  if (expiryOption !== undefined) found.oneOf(expiryOption, ['1', '2', '3', '4'], `${at}expiryOption`)
  if (header !== undefined) found.oneOf(header, ['0', '1'], `${at}header`)
  if (header === '1') found.needs(footer, 100, `${at}footer`)
  found.within(footer, 100, `${at}footer`)
}

function checkSimple(content: Fields, row: FormatRow | undefined, found: Violations, at: string): void {
  const presentKinds = kinds.filter((kind) => content[kind] !== undefined)
  // Content is optional for a template, and an expert message without a body also arrives here.
  if (presentKinds.length === 0) return
  const expected = row === undefined ? 'template' : row.cards > 1 ? 'carousel' : 'standalone'
  found.expect(presentKinds.join() === expected, `${at}${presentKinds.join()} where ${expected} is required`)
  if (row === undefined) return checkTemplate(toFields(content['template']), found, `${at}template.`)
  const cards = row.cards > 1 ? toArray(content['carousel']) : [content['standalone']]
  found.expect(cards.length === row.cards, `${at}carousel has ${cards.length} cards, not ${row.cards}`)
  cards.forEach((card, index) => checkCard(toFields(card), row, found, `${at}card ${index + 1} `))
  const total = cards.reduce((sum: number, card) => sum + lengthOf(toFields(card)['text']), 0)
  found.expect(total <= row.text, `${at}texts have ${total} characters, at most ${row.text}`)
}

function checkCard(card: Fields, row: FormatRow, found: Violations, at: string): void {
  found.within(card['title'], row.title, `${at}title`)
  if (row.image)
    found.matches(
      card['media'],
      /^(?:maapfile:\/\/BR\.[\w.-]+|(?:maapfile:\/\/)?\d{17}[0-9A-Z]{23})$/,
      `${at}media`,
    )
  else found.expect(card['media'] === undefined, `${at}media where the format has no image`)
  found.count(card['button'], 0, row.buttons, `${at}button`)
  for (const candidate of toArray(card['button'])) checkButton(toFields(candidate), row, found, `${at}button`)
  found.count(card['subContent'], 0, row.subInfos, `${at}subContent`)
}

function checkButton(button: Fields, row: FormatRow, found: Violations, at: string): void {
  found.needs(button['name'], row.label, `${at}.name`)
  found.oneOf(button['type'], Object.keys(buttonFields), `${at}.type`)
  for (const name of buttonFields[String(button['type'])] ?? []) {
    found.needs(button[name], Infinity, `${at}.${name}`)
  }
}

function checkTemplate(template: Fields, found: Violations, at: string): void {
  found.within(template['title'], loosestTemplate.title, `${at}title`)
  found.within(template['description'], loosestTemplate.text, `${at}description`)
  for (const candidate of toArray(template['subContent'])) {
    found.within(toFields(candidate)['subTitle'], maxDetailText, `${at}subTitle`)
    found.within(toFields(candidate)['subDesc'], maxDetailText, `${at}subDesc`)
  }
}

function checkExpert({ body, buttons }: Fields, row: FormatRow, found: Violations, at: string): void {
  let total = 0
  for (const [key, value] of Object.entries(toFields(body))) {
    const [, name, card] = /^(title|description|media)(\d*)$/.exec(key) ?? []
    if (name === undefined) continue
    found.expect(Number(card) <= row.cards, `${at}body.${key} of a card that the format does not have`)
    if (name === 'title') found.within(value, row.title, `${at}body.${key}`)
    if (name === 'media') found.expect(row.image, `${at}body.${key} where the format has no image`)
    if (name === 'description') total += lengthOf(value)
  }
  const images = Object.entries(toFields(body)).filter(
    ([key, value]) => /^media\d*$/.test(key) && value !== '',
  )
  found.expect(
    row === unknownFormat || !row.image || images.length === row.cards,
    `${at}body has ${images.length} images, not ${row.cards}`,
  )
  found.expect(total <= row.text, `${at}body has ${total} characters of text, at most ${row.text}`)
  found.count(buttons, 0, row.cards, `${at}buttons`)
  for (const card of toArray(buttons)) {
    const { suggestions } = toFields(card)
    found.count(suggestions, 0, row.buttons, `${at}buttons.suggestions`)
    for (const suggestion of toArray(suggestions)) {
      const { action, reply } = toFields(suggestion)
      found.needs(toFields(action ?? reply)['displayText'], row.label, `${at}buttons.displayText`)
    }
  }
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? countUnits(value) : 0
}
