/** The declarations of the published package, read as strictly as a user may, without the types of Node. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createProgram,
  flattenDiagnosticMessageText,
  getPreEmitDiagnostics,
  ModuleKind,
  ModuleResolutionKind,
  ScriptTarget,
} from 'typescript'

const consumer = `
import { InvalidRequestError, Postern, receiveWebhook, type Report } from './dist/index.js'
const client = new Postern({ baseUrl: 'https://gateway.example', credentials: { apiKey: 'postern_x' } })
const { msgKey }: { msgKey: string } = await client.send.sms({ from: '1', to: '2', text: 'Hello' })
const reports: readonly Report[] = await client.reports.of(msgKey)
const usage = await client.call('showUsage', { query: { from: '2026-11-01', to: '2026-11-30' } })
const rows: number = usage.data.usage.length
// @ts-expect-error a field that the gateway refuses
await client.send.sms({ from: '1', to: '2', text: 'Hello', txt: '' })
// @ts-expect-error a field is missing
await client.send.sms({ from: '1', to: '2' })
// @ts-expect-error the path has a parameter
await client.call('showMessage', {})
export { InvalidRequestError, receiveWebhook, reports, rows }
`

/** A line for each fault, or one that says there is none. */
export function checkTypes(folder: string): string[] {
  const file = join(folder, 'consumer.mts')
  writeFileSync(file, consumer)
  const program = createProgram([file], {
    target: ScriptTarget.ES2024,
    module: ModuleKind.NodeNext,
    moduleResolution: ModuleResolutionKind.NodeNext,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  })
  const faults = getPreEmitDiagnostics(program).map(
    ({ file: source, messageText }) =>
      `FAILED ${source?.fileName ?? ''}: ${flattenDiagnosticMessageText(messageText, ' ')}`,
  )
  return faults.length === 0 ? ['ok the declarations of the package'] : faults
}
