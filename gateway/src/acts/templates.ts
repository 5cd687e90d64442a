/** Kinds of issued RCS templates: said and forgotten, for commands and the admin API. */
import type { TemplateKind } from '../channels/rcs/limits.ts'
import { deleteTemplate, putTemplate } from '../routes/templates.ts'
import type { ActAudit } from './act-audit.ts'
import { notFound } from './errors.ts'

export function sayTemplateKind(audit: ActAudit, id: string, kind: TemplateKind): Promise<void> {
  return audit.change(async (transaction) => {
    await putTemplate(transaction, { id, kind })
    return [undefined, { target: id, details: { kind } }]
  })
}

export function forgetTemplate(audit: ActAudit, id: string): Promise<void> {
  return audit.change(async (transaction) => {
    if (await deleteTemplate(transaction, id)) return [undefined, { target: id }]
    throw notFound('template', id)
  })
}
