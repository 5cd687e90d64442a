/** Texts of the admin API name no command and no option, because the console shows them. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { rules } from '../trust/rules.ts'

/** Matches a command in backticks, or an option with two dashes. */
const commandLine = /`postern [a-z]|[\s`'"(]--[a-z]/
const source = new URL('..', import.meta.url).pathname
/** Directories that throw operation errors, or create texts returned by operations. */
const folders = 'admin,carriers/connectors,carriers/routes,edge/webhooks,identity,operations,records/timeline'

/** Comments, and help pages of derived commands. */
const ignored = /\/\*[^]*?\*\/|^\s*\/\/.*$|\bcommand: \{(?:[^{}]|\{[^{}]*\})*\}/gm
/** Tests, files with log lines, and texts for the pages and help of connectors. */
const exempt =
  /\.test\.ts$|^identity\/audit\/watch\.ts$|^edge\/webhooks\/push\/unreadable-secrets\.ts$|\/(notes|options)\.ts$/

function findCommandLines(file: string): string[] {
  const code = readFileSync(`${source}${file}`, 'utf8').replaceAll(ignored, '')
  return code.split('\n').filter((line) => commandLine.test(line.replaceAll('\\`', '`')))
}

test('texts of operations name no command and no command-line option', () => {
  const files = globSync(`{${folders}}/**/*.ts`, { cwd: source }).filter((file) => !exempt.test(file))
  assert.ok(files.length > 300)
  const found = files.flatMap((file) => findCommandLines(file).map((line) => `${file}: ${line.trim()}`))
  assert.deepEqual(found, [])
})

test('descriptions of rules name no command', () => {
  assert.deepEqual(
    rules.filter(({ demands }) => commandLine.test(demands)).map(({ id }) => id),
    [],
  )
})
