/**
 * Turns one TypeScript source into the JavaScript that a package holds. Node strips types itself in the repository, but refuses to do so
 * below `node_modules`. The same stripping is used here, so that a package runs what the tests ran: types become blanks, and the lines
 * and columns of a stack trace are those of the source. Imports of `.ts` files become imports of `.js` files.
 */
import { stripTypeScriptTypes } from 'node:module'
import { posix } from 'node:path'
import {
  flattenDiagnosticMessageText,
  ModuleKind,
  preProcessFile,
  ScriptTarget,
  transpileDeclaration,
  transpileModule,
} from 'typescript'

export interface Compiled {
  readonly code: string
  /** Relative imports, as written in the source. */
  readonly imports: readonly string[]
}

export function compile(source: string): Compiled {
  return withJavascriptImports(stripTypeScriptTypes(source))
}

/** Converts compiled code for `require`. */
export function toCommonJs(code: string): string {
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 }
  return transpileModule(code, { compilerOptions }).outputText
}

/** The declarations of one source. Every export must have its type written down, because no other source is read. */
export function compileTypes(source: string, fileName: string): string {
  const { outputText, diagnostics = [] } = transpileDeclaration(source, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { target: ScriptTarget.ES2024, isolatedDeclarations: true, declaration: true },
  })
  const [first] = diagnostics
  if (first !== undefined)
    throw new Error(`${fileName}: ${flattenDiagnosticMessageText(first.messageText, ' ')}`)
  return withJavascriptImports(outputText).code
}

function withJavascriptImports(source: string): Compiled {
  const relative = preProcessFile(source, true, true).importedFiles.filter(({ fileName }) =>
    fileName.startsWith('.'),
  )
  let code = source
  // From the last to the first, so that the positions of the earlier ones stay right.
  for (const { pos, fileName } of relative.toSorted((a, b) => b.pos - a.pos)) {
    // `pos` is that of the quotation mark.
    const start = pos + 1
    const end = start + fileName.length
    if (code.slice(start, end) !== fileName)
      throw new Error(`the import of ${fileName} is not at its position`)
    code = code.slice(0, start) + javascriptName(fileName) + code.slice(end)
  }
  return { code, imports: relative.map(({ fileName }) => fileName) }
}

export function javascriptName(path: string): string {
  return posix.extname(path) === '.ts' ? `${path.slice(0, -'.ts'.length)}.js` : path
}
