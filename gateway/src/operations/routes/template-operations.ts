import { Type } from 'typebox'
import { findFormat } from '../../channels/rcs/formats.ts'
import { templateLimits, type TemplateKind } from '../../channels/rcs/limits.ts'
import { deleteTemplate, listTemplates, putTemplate } from '../../carriers/routes/templates.ts'
import { readCursor, toPage } from '../cursor.ts'
import { oneOf, page, pageQuery, record, text } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { notFound, OperationError } from '../errors.ts'

const templateId = text('ID of the template, as issued by the carriers', { pattern: '^\\S{1,40}$' })
const Template = record(
  {
    id: templateId,
    kind: oneOf(Object.keys(templateLimits) as TemplateKind[], 'Its kind, whose limits are enforced'),
  },
  'A template',
  { title: 'Template' },
)
const path = '/admin/v1/templates/{templateId}'

export const templateOperations = [
  defineOperation({
    id: 'listTemplates',
    method: 'get',
    path: '/admin/v1/templates',
    tag: 'Routes',
    summary: 'List the RCS templates whose kind is known, by ID',
    access: readAccess(),
    action: 'route templates list',
    command: { examples: [''] },
    query: pageQuery,
    data: page(Template, 'Templates'),
    run: async ({ query: { limit, cursor } }, { database }) => {
      const after = readCursor(Type.Tuple([Type.String({ maxLength: 40 })]), cursor)?.[0]
      const rows = await listTemplates(database, { after, limit: limit + 1 })
      return toPage(
        rows,
        limit,
        (template) => template,
        ({ id }) => [id],
      )
    },
  }),
  defineOperation({
    id: 'putTemplate',
    method: 'put',
    path,
    tag: 'Routes',
    summary: 'Set the kind of a template, effective in all processes within two seconds',
    access: writeAccess('routes'),
    action: 'route templates put',
    command: { examples: ['UBR.shop-order --kind Cell'] },
    params: { templateId },
    body: { kind: Template.properties.kind },
    data: Template,
    run: async ({ params: { templateId: id }, body: { kind } }, { audit }) => {
      if (findFormat(id) !== null)
        throw new OperationError('invalid-request', `'${id}' is a built-in format, whose kind is known`)
      await setTemplateKind(audit, id, kind)
      return { id, kind }
    },
  }),
  defineOperation({
    id: 'deleteTemplate',
    method: 'delete',
    path,
    tag: 'Routes',
    summary: 'Delete the kind of a template, after which the loosest limits apply',
    access: writeAccess('routes'),
    action: 'route templates delete',
    command: { examples: ['UBR.shop-order'] },
    params: { templateId },
    data: record({ id: templateId }, 'The template'),
    run: async ({ params: { templateId: id } }, { audit }) => {
      await deleteTemplateKind(audit, id)
      return { id }
    },
  }),
]

function setTemplateKind(audit: AuditRecorder, id: string, kind: TemplateKind): Promise<void> {
  return audit.change(async (transaction) => {
    await putTemplate(transaction, { id, kind })
    return [undefined, { target: id, details: { kind } }]
  })
}

function deleteTemplateKind(audit: AuditRecorder, id: string): Promise<void> {
  return audit.change(async (transaction) => {
    if (await deleteTemplate(transaction, id)) return [undefined, { target: id }]
    throw notFound('template', id)
  })
}
