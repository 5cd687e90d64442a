// `npm run conformance`: proves every row of the contract against a running gateway and writes docs/conformance.md.
// `-- --check` writes nothing and fails when the page is not what it would write. Ends with 0 only if every row is
// proven.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { format } from 'prettier'
import { nameOf } from './row.ts'
import { rows, unproven } from './rows.ts'
import { countRows, toPage } from './result-page.ts'

const root = join(import.meta.dirname, '../../..')
const suite = join(root, 'gateway/test/conformance/suite.test.ts')
const pageFile = join(root, 'docs/conformance.md')

const started = performance.now()
const passed = new Set<string>()
const failures: string[] = []
const stream = run({ files: [suite], timeout: 300_000 })
stream.on('test:stdout', ({ message }) => process.stdout.write(message))
stream.on('test:stderr', ({ message }) => process.stdout.write(message))
stream.on('test:pass', ({ name }) => passed.add(name))
stream.on('test:fail', ({ name, details }) => {
  const { cause } = details.error as { cause?: unknown }
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : details.error.message
  failures.push(name)
  process.stdout.write(`failed: ${name}\n${reason.replaceAll(/^/gm, '  ')}\n`)
})
await finished(stream.resume())

const proven = new Set(rows.filter((row) => passed.has(nameOf(row))))
const page = await format(toPage(rows, proven, unproven), { parser: 'markdown' })
const checking = process.argv.includes('--check')
if (!checking) writeFileSync(pageFile, page)
else if (readOrEmpty(pageFile) !== page) {
  failures.push('docs/conformance.md')
  process.stdout.write('docs/conformance.md is not what the tests say; run: npm run conformance\n')
}

const { all, good } = countRows(rows, proven)
const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(`${proven.size} of ${rows.length} tests passed in ${seconds} s\n`)
process.stdout.write(`conformance: ${all} rows, ${good} proven, ${all - good} failed\n`)
// A failure outside the rows, such as a process that exited unexpectedly, counts as well.
process.exitCode = failures.length > 0 || good < all ? 1 : 0

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
