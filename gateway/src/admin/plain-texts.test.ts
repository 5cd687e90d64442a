/** Texts of the admin API name no command and no option: the console shows them, too. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { rules } from '../trust/rules.ts'

/** A command in backticks, or an option with two dashes. */
const commandLine = /`postern [a-z]|[\s`'"(]--[a-z]/
const source = new URL('..', import.meta.url).pathname
/** Folders that throw errors of operations, or write texts that an operation returns. */
const folders = 'accounts,acts,admin,connectors,operators,parked,records/timeline,routes,webhooks'

/** Comments, and the help pages of derived commands. */
const ignored = /\/\*[^]*?\*\/|^\s*\/\/.*$|\bcommand: \{(?:[^{}]|\{[^{}]*\})*\}/gm
/** A key derivation, a log line, and texts for the pages and help of connectors. */
const exempt =
  /\.test\.ts$|^admin\/sealed-cursor\.ts$|^webhooks\/unreadable-secrets\.ts$|\/(notes|options)\.ts$/

function findCommandLines(file: string): string[] {
  const code = readFileSync(`${source}${file}`, 'utf8').replaceAll(ignored, '')
  return code.split('\n').filter((line) => commandLine.test(line.replaceAll('\\`', '`')))
}

test('no text of an operation names a command or an option of the command line', () => {
  const files = globSync(`{${folders}}/**/*.ts`, { cwd: source }).filter((file) => !exempt.test(file))
  assert.ok(files.length > 300)
  const found = files.flatMap((file) => findCommandLines(file).map((line) => `${file}: ${line.trim()}`))
  assert.deepEqual(found, [])
})

test('no description of a rule names a command', () => {
  assert.deepEqual(
    rules.filter(({ demands }) => commandLine.test(demands)).map(({ id }) => id),
    [],
  )
})
