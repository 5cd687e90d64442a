/**
 * The two letters that name the kind of an RCS message in reports. Exact for a format; the kind of a template
 * is not in its ID, so it is guessed from the fields unless the caller knows it.
 */
import type { Entry } from './entry.ts'
import { getFileReferences } from './files.ts'
import { findFormat, type Product } from './formats.ts'
import type { TemplateKind } from './limits.ts'

const byProduct: Readonly<Record<Product, string>> = { sms: 'RS', lms: 'RL', mms: 'RM' }
const byKind: Readonly<Record<TemplateKind, string>> = {
  Free: 'RF',
  Description: 'RD',
  Cell: 'RC',
  Image: 'RI',
}

/** `kind` is the kind of the template, if known; otherwise it is derived from the fields. */
export function getMsgType(entry: Entry, kind: TemplateKind = likelyKind(entry)): string {
  const format = findFormat(entry.formatId)
  return format === null ? byKind[kind] : byProduct[format.product]
}

function likelyKind(entry: Entry): TemplateKind {
  const fields: Readonly<Record<string, unknown>> = entry.content?.template ?? entry.body ?? {}
  const keys = Object.keys(fields)
  if (getFileReferences(entry).length > 0 || keys.some((key) => /^sub[A-Z]/.test(key))) return 'Image'
  if (keys.some((key) => key.startsWith('cell'))) return 'Cell'
  return keys.includes('title') ? 'Description' : 'Free'
}
