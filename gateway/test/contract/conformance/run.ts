// `npm run suite -- conformance` tests every row of the contract against a running gateway. Exits with 0 only
// if every row is proven.

import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { countRows, toRowName } from './row.ts'
import { rows } from './rows.ts'

const suite = join(import.meta.dirname, 'suite.test.ts')

const started = performance.now()
const passed = new Set<string>()
let failures = 0
const stream = run({ files: [suite], timeout: 300_000 })
stream.on('test:stdout', ({ message }) => process.stdout.write(message))
stream.on('test:stderr', ({ message }) => process.stdout.write(message))
stream.on('test:pass', ({ name }) => passed.add(name))
stream.on('test:fail', ({ name, details }) => {
  const { cause } = details.error as { cause?: unknown }
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : details.error.message
  failures += 1
  process.stdout.write(`failed: ${name}\n${reason.replaceAll(/^/gm, '  ')}\n`)
})
await finished(stream.resume())

const proven = new Set(rows.filter((row) => passed.has(toRowName(row))))
const { all, good } = countRows(rows, proven)
const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(`${proven.size} of ${rows.length} tests passed in ${seconds} s\n`)
process.stdout.write(`conformance: ${all} rows, ${good} proven, ${all - good} failed\n`)
// Failures outside rows, such as an unexpected process exit, count as well.
process.exitCode = failures > 0 || good < all ? 1 : 0
