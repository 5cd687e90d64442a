/** `postern route templates`: which kind an issued RCS template is of, so that its limits are enforced. Both ways. */
import type { TemplateKind } from '../../channels/rcs/limits.ts'
import type { RcsTemplate } from '../../routes/templates.ts'
import type { AdminClient } from '../client/client.ts'
import { table, type Result } from '../result.ts'

export interface TemplateOptions {
  readonly kind: TemplateKind
}

const following = 'running processes follow within two seconds'

export async function put(
  admin: AdminClient,
  templateId: string,
  { kind }: TemplateOptions,
): Promise<Result> {
  await admin.call('putTemplate', { params: { templateId }, body: { kind, ...admin.reason } })
  return putResult(templateId, kind)
}

function putResult(id: string, kind: TemplateKind): Result {
  return { json: { id, kind }, lines: [`template ${id} is of the kind ${kind}; ${following}`] }
}

export async function list(admin: AdminClient): Promise<Result> {
  return listResult(await admin.readAll((page) => admin.call('listTemplates', { query: page })))
}

function listResult(templates: readonly RcsTemplate[]): Result {
  const rows = templates.map(({ id, kind }) => [id, kind])
  return { json: { templates }, lines: table([['template', 'kind'], ...rows]) }
}

export async function remove(admin: AdminClient, templateId: string): Promise<Result> {
  await admin.call('deleteTemplate', { params: { templateId }, query: admin.reason })
  return removeResult(templateId)
}

function removeResult(id: string): Result {
  return {
    json: { id, deleted: true },
    lines: [`the kind of template ${id} is forgotten: the loosest limits apply; ${following}`],
  }
}
