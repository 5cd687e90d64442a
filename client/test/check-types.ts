import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createProgram,
  flattenDiagnosticMessageText,
  getPreEmitDiagnostics,
  ModuleKind,
  ModuleResolutionKind,
  ScriptTarget,
  type CompilerOptions,
} from 'typescript'
import { projectRoot } from '../../tools/engines/paths.ts'
import { readReadme } from './readme.ts'

/** A program that uses the package. */
const consumer = `
import { InvalidRequestError, Postern, receiveWebhook, type Report } from '@postern/client'
import { describe } from '@postern/client/codes'
export async function main() {
  const client = new Postern({ baseUrl: 'https://gateway.example', credentials: { apiKey: 'postern_x' } })
  const { msgKey }: { msgKey: string } = await client.send.sms({ from: '1', to: '2', text: 'Hello' })
  const { state, reports } = await client.reports.get(msgKey)
  const known: 'open' | 'closed' | 'unknown' | undefined = state
  const records: readonly Report[] = reports
  for await (const { acceptedAt } of client.messages.list({ since: new Date() })) acceptedAt.slice()
  const usage = await client.call('showUsage', { query: { from: '2026-11-01', to: '2026-11-30' } })
  const rows: number = usage.data.usage.length
  const action: string | undefined = describe('A306')?.action
  // @ts-expect-error unknown field
  await client.send.sms({ from: '1', to: '2', text: 'Hello', txt: '' })
  // @ts-expect-error missing field
  await client.send.sms({ from: '1', to: '2' })
  // @ts-expect-error missing path parameter
  await client.call('showMessage', {})
  return { InvalidRequestError, receiveWebhook, known, records, rows, action }
}
`

const strict: CompilerOptions = {
  target: ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
}
const node16: CompilerOptions = {
  ...strict,
  module: ModuleKind.Node16,
  moduleResolution: ModuleResolutionKind.Node16,
}
const bundler: CompilerOptions = {
  ...strict,
  module: ModuleKind.ESNext,
  moduleResolution: ModuleResolutionKind.Bundler,
}
const withNode: CompilerOptions = {
  ...node16,
  lib: ['lib.es2024.d.ts'],
  types: ['node'],
  typeRoots: [join(projectRoot, 'node_modules/@types')],
  skipLibCheck: true,
}

/**
 * Checks the declarations of the package and the code of the README with strict settings. Returns a line for
 * each check.
 */
export function checkTypes(folder: string): string[] {
  const check = (title: string, name: string, source: string, options: CompilerOptions): string => {
    const file = join(folder, name)
    writeFileSync(file, source)
    const [first] = getPreEmitDiagnostics(createProgram([file], options))
    if (first === undefined) return `ok ${title}`
    return `FAILED ${title}: ${first.file?.fileName ?? ''}: ${flattenDiagnosticMessageText(first.messageText, ' ')}`
  }
  return [
    check('types for import', 'consumer.mts', consumer, node16),
    check('types for require', 'consumer.cts', consumer, node16),
    check('types for bundlers', 'consumer.ts', consumer, bundler),
    check('types of the README', 'readme.mts', readReadme(), withNode),
  ]
}
