/** Which kind an issued RCS template is of. */
import { Type } from 'typebox'
import { forgetTemplate, sayTemplateKind } from '../../acts/templates.ts'
import { formatOf } from '../../channels/rcs/formats.ts'
import { templateLimits, type TemplateKind } from '../../channels/rcs/limits.ts'
import { listTemplates } from '../../routes/templates.ts'
import { readCursor, toPage } from '../cursor.ts'
import { oneOf, page, pageQuery, record, text } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'
import { OperationError } from '../../acts/errors.ts'

const templateId = text('Id of the template, as the carriers issued it', { pattern: '^\\S{1,40}$' })
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
    summary: 'List the RCS templates whose kind is known, by id',
    access: reads(),
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
    summary: 'Say which kind a template is of; running processes follow within two seconds',
    access: changes('routes'),
    action: 'route templates put',
    command: { examples: ['UBR.shop-order --kind Cell'] },
    params: { templateId },
    body: { kind: Template.properties.kind },
    data: Template,
    run: async ({ params: { templateId: id }, body: { kind } }, { audit }) => {
      if (formatOf(id) !== null)
        throw new OperationError('invalid-request', `'${id}' is one of the formats, whose kind is known`)
      await sayTemplateKind(audit, id, kind)
      return { id, kind }
    },
  }),
  defineOperation({
    id: 'deleteTemplate',
    method: 'delete',
    path,
    tag: 'Routes',
    summary: 'Forget the kind of a template: the loosest limits apply',
    access: changes('routes'),
    action: 'route templates delete',
    command: { examples: ['UBR.shop-order'] },
    params: { templateId },
    data: record({ id: templateId }, 'The template'),
    run: async ({ params: { templateId: id } }, { audit }) => {
      await forgetTemplate(audit, id)
      return { id }
    },
  }),
]
