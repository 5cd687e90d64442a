/**
 * Checks an RCS message beyond its schema, after placeholders are filled in: the two styles, content against
 * format, and options that depend on each other.
 */
import { invalidField } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import { checkSender } from '../fields.ts'
import type { Issues } from '../issues.ts'
import { checkRcsCarousel, checkStandalone } from './cards.ts'
import type { Entry } from './entry.ts'
import { checkBody, checkCardButtons } from './expert.ts'
import { findFormat, type Format } from './formats.ts'
import { loosestFormat, loosestTemplate, maxBodyBytes, maxFooterLength } from './limits.ts'
import type { RcsBody } from './schema.ts'
import { toBody } from './submission.ts'
import { checkTemplateFields } from './template.ts'
import { checkLength } from './values.ts'

/** `at` is the path before a field's name: '' or 'messageFlow[1].rcs.'. */
export function checkContent(entry: Entry, at: string, issues: Issues): void {
  checkSender(entry.from, at, issues)
  const format = findFormat(entry.formatId)
  const { content, body, buttons } = entry
  if ((content === undefined) === (body === undefined)) {
    const present = content === undefined ? 'neither' : 'both'
    issues.add(
      invalidField('A415', `${at}content`, `exactly one of content and body is required, found ${present}`),
    )
  }
  if (body !== undefined) {
    checkBody(body, format, `${at}body`, issues)
    checkCardButtons(buttons ?? [], format ?? loosestFormat, `${at}buttons`, issues)
  } else if (buttons !== undefined) {
    const reason = 'is allowed only with body; with content, buttons are in its cards'
    issues.add(invalidField('A425', `${at}buttons`, reason))
  }
  if (content !== undefined) checkSimple(content, entry.formatId, format, at, issues)
  checkSize(entry, at, issues)
  checkAdvertisement(entry, at, issues)
}

const contentKinds = ['standalone', 'carousel', 'template'] as const

function checkSimple(
  content: NonNullable<Entry['content']>,
  formatId: string,
  format: Format | null,
  at: string,
  issues: Issues,
): void {
  const { standalone, carousel, template } = content
  const kinds = contentKinds.filter((name) => content[name] !== undefined)
  const [kind] = kinds
  if (kinds.length !== 1 || kind === undefined) {
    const present = kinds.length === 0 ? 'none' : kinds.join(' and ')
    const reason = `must have exactly one of standalone, carousel and template, found ${present}`
    issues.add(invalidField('A415', `${at}content`, reason))
    return
  }
  if (format === null && kind !== 'template') {
    const reason = `no format for ${kind} has the ID ${quote(formatId)}, and a template ID needs content.template`
    issues.add(invalidField('A404', `${at}formatId`, reason))
  }
  if (format !== null && kind !== format.kind) {
    // The limits of the format belong to another kind, so no further check is possible.
    issues.add(invalidField('A415', `${at}content`, `must be ${format.kind} for ${format.id}, found ${kind}`))
    return
  }
  const path = `${at}content.${kind}`
  if (template !== undefined) checkTemplateFields(template, loosestTemplate, path, issues)
  if (format === null) return
  if (standalone !== undefined) checkStandalone(standalone, format, path, issues)
  if (carousel !== undefined) checkRcsCarousel(carousel, format, path, issues)
}

function checkSize(entry: Entry, at: string, issues: Issues): void {
  const fields = toBody(entry)
  if (isCertainlySmall(fields)) return
  const bytes = Buffer.byteLength(JSON.stringify(fields))
  if (bytes <= maxBodyBytes) return
  const [code, path] = entry.body === undefined ? (['A415', 'content'] as const) : (['A425', 'body'] as const)
  issues.add(
    invalidField(code, `${at}${path}`, `must be at most ${maxBodyBytes} bytes of JSON, found ${bytes}`),
  )
}

/**
 * Estimates without writing the JSON: a UTF-16 unit takes at most 6 bytes of it, a field 6 more. Returns
 * false if the size is unknown.
 */
function isCertainlySmall(fields: Readonly<RcsBody>): boolean {
  let units = 0
  for (const name in fields) {
    const value = fields[name]
    if (typeof value !== 'string') return false
    units += name.length + value.length + 1
  }
  return 6 * units < maxBodyBytes - 2
}

function checkAdvertisement({ header, footer }: Entry, at: string, issues: Issues): void {
  if (header === '1' && (footer === undefined || footer === '')) {
    issues.add(invalidField('A412', `${at}footer`, "must be an opt-out number when header is '1'"))
  }
  checkLength(footer, maxFooterLength, 'A412', `${at}footer`, issues)
}
