/**
 * Turns one TypeScript source into the JavaScript of a package. Node strips types itself in the repository,
 * but refuses to do so below `node_modules`. The same stripping is used here, so that a package runs the
 * tested code: types become blanks, and stack traces keep the lines and columns of the source. Imports of
 * `.ts` files become imports of `.js` files.
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

export interface CompiledModule {
  readonly code: string
  /** Relative imports, as written in the source. */
  readonly imports: readonly string[]
}

export function compile(source: string): CompiledModule {
  return withJavascriptImports(stripTypeScriptTypes(source))
}

/** Converts compiled code for `require`. */
export function toCommonJs(code: string): string {
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 }
  return transpileModule(code, { compilerOptions }).outputText
}

/**
 * Returns the declarations of one source. Every export needs an explicit type, because no other source is
 * read.
 */
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

function withJavascriptImports(source: string): CompiledModule {
  const relative = preProcessFile(source, true, true).importedFiles.filter(({ fileName }) =>
    fileName.startsWith('.'),
  )
  let code = source
  // From last to first, so that the positions of earlier ones stay valid.
  for (const { pos, fileName } of relative.toSorted((a, b) => b.pos - a.pos)) {
    // `pos` is the position of the quotation mark.
    const start = pos + 1
    const end = start + fileName.length
    if (code.slice(start, end) !== fileName)
      throw new Error(`import of ${fileName} not found at its position`)
    code = code.slice(0, start) + javascriptName(fileName) + code.slice(end)
  }
  return { code, imports: relative.map(({ fileName }) => fileName) }
}

export function javascriptName(path: string): string {
  return posix.extname(path) === '.ts' ? `${path.slice(0, -'.ts'.length)}.js` : path
}
