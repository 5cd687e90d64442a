/** Enforces the folder order in the linter, so that editors mark a wrong import. */
import { dirname, join, relative } from 'node:path/posix'
import { forbiddenImport } from '../architecture/order.ts'
import type { ModuleReference, Rule } from './rule.ts'

const sources = '/gateway/src/'

export const importOrder: Rule = {
  create(context) {
    const file = context.filename.replaceAll('\\', '/')
    const at = file.lastIndexOf(sources)
    if (at < 0 || file.endsWith('.test.ts')) return {}
    const root = file.slice(0, at + sources.length)
    const check = (node: ModuleReference): void => {
      const specifier = node.source?.value
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return
      const imported = relative(root, join(dirname(file), specifier))
      const fault = imported.startsWith('../..') ? null : forbiddenImport(relative(root, file), imported)
      if (fault !== null)
        context.report({ node, message: `${fault} (see "The import rule" in ARCHITECTURE.md)` })
    }
    return {
      ImportDeclaration: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      ImportExpression: check,
    }
  },
}
