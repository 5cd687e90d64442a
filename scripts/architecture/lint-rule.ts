/** The order of the folders as a rule of the linter, so that an editor shows a wrong import where it is written. */
import { dirname, join, relative } from 'node:path/posix'
import type { Rule } from 'eslint'
import { forbiddenImport } from './order.ts'

const sources = '/gateway/src/'

export const importOrder: Rule.RuleModule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = context.filename.replaceAll('\\', '/')
    const at = file.lastIndexOf(sources)
    if (at < 0 || file.endsWith('.test.ts')) return {}
    const root = file.slice(0, at + sources.length)
    const check = (node: Rule.Node, specifier: unknown): void => {
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return
      const imported = relative(root, join(dirname(file), specifier))
      const fault = imported.startsWith('..') ? null : forbiddenImport(relative(root, file), imported)
      if (fault !== null)
        context.report({ node, message: `${fault} (see "The import rule" in ARCHITECTURE.md)` })
    }
    return {
      ImportDeclaration: (node) => check(node, node.source.value),
      ExportAllDeclaration: (node) => check(node, node.source.value),
      ExportNamedDeclaration: (node) => check(node, node.source?.value),
      ImportExpression: (node) => check(node, node.source.type === 'Literal' ? node.source.value : undefined),
    }
  },
}
