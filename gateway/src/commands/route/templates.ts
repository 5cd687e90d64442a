/** `postern route templates`: which kind an issued RCS template is of, so that its limits are enforced. */
import type { TemplateKind } from '../../channels/rcs/limits.ts'
import { deleteTemplate, loadTemplates, putTemplate } from '../../routes/templates.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

export interface TemplateOptions {
  readonly kind: TemplateKind
}

const following = 'running processes follow within two seconds'

export async function put(invocation: Invocation, id: string, { kind }: TemplateOptions): Promise<Result> {
  await withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      await putTemplate(transaction, { id, kind })
      return [null, { target: id, details: { kind } }]
    }),
  )
  return { json: { id, kind }, lines: [`template ${id} is of the kind ${kind}; ${following}`] }
}

export async function list(invocation: Invocation): Promise<Result> {
  const templates = await withDatabase(invocation, (database) => loadTemplates(database))
  const rows = templates.map(({ id, kind }) => [id, kind])
  return { json: { templates }, lines: table([['template', 'kind'], ...rows]) }
}

export async function remove(invocation: Invocation, id: string): Promise<Result> {
  await withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      if (await deleteTemplate(transaction, id)) return [null, { target: id }]
      throw new FailedError(
        `there is no template '${id}'; \`postern route templates list\` lists all of them`,
      )
    }),
  )
  return {
    json: { id, deleted: true },
    lines: [`the kind of template ${id} is forgotten: the loosest limits apply; ${following}`],
  }
}
