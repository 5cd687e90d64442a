/** Definitions of `postern route templates …`. */
import { Argument, type Command } from 'commander'
import { templateLimits } from '../../channels/rcs/limits.ts'
import { defineCommand, defineGroup } from '../define.ts'
import { oneOf } from '../options.ts'
import type { TemplateOptions } from './templates.ts'
import { readTemplateId } from './values.ts'

const templateArgument = (): Argument =>
  new Argument('<id>', 'the template ID that the carriers issued').argParser(readTemplateId)

export function defineTemplates(route: Command): void {
  const templates = defineGroup(route, {
    name: 'templates',
    summary: 'Manage which kind an issued RCS template is of.',
    examples: ['route templates put UBR.shop-order --kind Cell'],
  })
  defineCommand(templates, {
    name: 'put',
    summary: 'Say which kind a template is of.',
    details:
      'Messages with this formatId are then held to the limits of the kind. A template that is not listed has the loosest ones, because its ID does not say its kind.',
    arguments: [templateArgument()],
    required: [oneOf('--kind <kind>', 'the kind of the template', Object.keys(templateLimits))],
    operation: 'putTemplate',
    examples: ['route templates put UBR.shop-order --kind Cell'],
    json: '{"id":"UBR.shop-order","kind":"Cell"}',
    call: async (admin, id: string, options: TemplateOptions) =>
      (await import('./templates.ts')).put(admin, id, options),
  })
  defineCommand(templates, {
    name: 'list',
    summary: 'List the templates whose kind is known.',
    operation: 'listTemplates',
    examples: ['route templates list'],
    json: '{"templates":[{"id":"UBR.shop-order","kind":"Cell"}]}',
    call: async (admin) => (await import('./templates.ts')).list(admin),
  })
  defineCommand(templates, {
    name: 'delete',
    summary: 'Forget the kind of a template.',
    arguments: [templateArgument()],
    operation: 'deleteTemplate',
    examples: ['route templates delete UBR.shop-order'],
    failures: ['there is no such template'],
    json: '{"id":"UBR.shop-order","deleted":true}',
    call: async (admin, id: string) => (await import('./templates.ts')).remove(admin, id),
  })
}
