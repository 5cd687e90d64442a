/**
 * Checks the fields of an issued template. The kind of a template is not in its ID, so a send is checked
 * against the loosest limits; `checkTemplate` applies the limits of a known kind.
 */
import { invalidField } from '../../contract/problem.ts'
import type { Issues } from '../issues.ts'
import { checkSubContents } from './cards.ts'
import type { Entry } from './entry.ts'
import { checkCardButtons } from './expert.ts'
import { templateLimits, type TemplateKind, type TemplateLimits } from './limits.ts'
import type { SubContent } from './schema.ts'
import { checkLength, isAddress, isLanding, countCharacters, mediaIn } from './values.ts'

/** Adds the limits of the kind. Call it after `checkContent` with the same arguments. */
export function checkTemplate(kind: TemplateKind, entry: Entry, at: string, issues: Issues): void {
  const limits: TemplateLimits = templateLimits[kind]
  const { content, body, buttons } = entry
  if (content?.template !== undefined) {
    checkTemplateFields(content.template, limits, `${at}content.template`, issues, `a ${kind} template`)
  }
  if (body !== undefined) checkTemplateFields(body, limits, `${at}body`, issues, `a ${kind} template`)
  if (buttons !== undefined) checkCardButtons(buttons, limits, `${at}buttons`, issues)
}

export function checkTemplateFields(
  fields: Readonly<Record<string, unknown>>,
  limits: TemplateLimits,
  path: string,
  issues: Issues,
  whose = 'a template',
): void {
  let total = 0
  for (const [key, value] of Object.entries(fields)) {
    if (issues.isSettled()) return
    const at = `${path}.${key}`
    if (typeof value !== 'string') continue
    if (key === 'title') {
      if (limits.title > 0) checkLength(value, limits.title, 'A415', at, issues)
      else if (value !== '') issues.add(invalidField('A415', at, `${whose} has no title`))
    } else if (mediaIn(value) !== null) {
      if (limits.images.length === 0) issues.add(invalidField('A415', at, `${whose} has no image`))
    } else if (isText(key, value)) {
      total += countCharacters(value)
      if (total > limits.text) {
        const reason = `all texts of ${whose} together must be at most ${limits.text} characters, found ${total}`
        issues.add(invalidField('A328', at, reason))
      }
    }
  }
  const { subContent } = fields
  if (Array.isArray(subContent)) {
    checkSubContents(subContent as SubContent[], limits, `${path}.subContent`, issues)
  }
}

/** URLs are not shown as text, and the texts of a sub-info have their own limit. */
function isText(key: string, value: string): boolean {
  return !isAddress(value) && !(/Url\d*$/.test(key) && isLanding(value)) && !/^sub[A-Z]/.test(key)
}
