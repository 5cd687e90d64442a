/**
 * Everything about an RCS message that its schema cannot say, checked after placeholders were filled in: the
 * two styles, content against format, and options that hang on each other. Throws the first Problem.
 */
import { invalidField } from '../../platform/problem.ts'
import { isSender } from '../numbers.ts'
import { checkCarousel, checkStandalone } from './cards.ts'
import type { Entry } from './entry.ts'
import { checkBody, checkCardButtons } from './expert.ts'
import { formatOf, type Format } from './formats.ts'
import { loosestTemplate, maxBodyBytes, maxFooterLength } from './limits.ts'
import { toBody } from './submission.ts'
import { checkTemplateFields } from './template.ts'
import { checkLength } from './values.ts'

/** `at` is what stands before a field's name in errors: '' or 'messageFlow[1].rcs.'. */
export function checkContent(entry: Entry, at: string): void {
  if (!isSender(entry.from)) throw invalidField('A302', `${at}from`, 'digits of a sender number are wanted')
  const format = formatOf(entry.formatId)
  const { content, body, buttons } = entry
  if ((content === undefined) === (body === undefined)) {
    const found = content === undefined ? 'neither' : 'both'
    throw invalidField('A415', `${at}content`, `exactly one of content and body is wanted, found ${found}`)
  }
  if (body !== undefined) {
    checkBody(body, format, `${at}body`)
    checkCardButtons(buttons ?? [], format ?? loosestTemplate, `${at}buttons`)
  } else {
    if (buttons !== undefined) {
      throw invalidField('A425', `${at}buttons`, 'only with body; with content, buttons are in its cards')
    }
    checkSimple(entry, format, at)
  }
  checkSize(entry, at)
  checkAdvertisement(entry, at)
}

function checkSimple(entry: Entry, format: Format | null, at: string): void {
  const { standalone, carousel, template } = entry.content ?? {}
  const kinds = Object.entries({ standalone, carousel, template }).filter(([, value]) => value !== undefined)
  const kind = kinds[0]?.[0]
  if (kinds.length !== 1 || kind === undefined) {
    const found = kinds.length === 0 ? 'none' : kinds.map(([name]) => name).join(' and ')
    const reason = `exactly one of standalone, carousel and template is wanted, found ${found}`
    throw invalidField('A415', `${at}content`, reason)
  }
  if (format === null && kind !== 'template') {
    const reason = `no format for ${kind} has the ID '${entry.formatId}', and a template ID needs content.template`
    throw invalidField('A404', `${at}formatId`, reason)
  }
  if (format !== null && kind !== format.kind) {
    throw invalidField('A415', `${at}content`, `${format.id} takes ${format.kind}, found ${kind}`)
  }
  const path = `${at}content.${kind}`
  if (template !== undefined) checkTemplateFields(template, loosestTemplate, path)
  if (format === null) return
  if (standalone !== undefined) checkStandalone(standalone, format, path)
  if (carousel !== undefined) checkCarousel(carousel, format, path)
}

function checkSize(entry: Entry, at: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(toBody(entry)))
  if (bytes <= maxBodyBytes) return
  const [code, path] = entry.body === undefined ? ['A415', 'content'] : ['A425', 'body']
  throw invalidField(code, `${at}${path}`, `at most ${maxBodyBytes} bytes of JSON, found ${bytes}`)
}

function checkAdvertisement({ header, footer }: Entry, at: string): void {
  if (header === '1' && (footer === undefined || footer === '')) {
    throw invalidField('A412', `${at}footer`, "an opt-out number is wanted when header is '1'")
  }
  checkLength(footer, maxFooterLength, 'A412', `${at}footer`)
}
