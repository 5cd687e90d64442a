/**
 * Every `postern` command line on a page, and in the advice that programs print, can be run as written:
 * commands and options exist, and required values are present.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { createProgram } from '../../gateway/src/cli/program.ts'
import { cliPage } from '../../gateway/tools/cli-page.ts'
import { projectRoot } from '../engines/paths.ts'
import { createChecker } from './check-command.ts'
import { findCommands, type FoundCommand } from './find-commands.ts'
import { createTables } from './site/tables.ts'

const check = createChecker(createProgram({ out: () => undefined, err: () => undefined }))

/** Returns one line per wrong command: `page:line: command: fault`. */
function listFaults(path: string, found: readonly FoundCommand[]): string[] {
  return found.flatMap((command) => {
    const fault = check(command)
    return fault === null ? [] : [`${path}:${command.line}: postern ${command.words.join(' ')}: ${fault}`]
  })
}

const patterns = [
  ...['*.md', '{bench,client,docs,gateway,simulator}/**/*.md', '*.yaml', '.env.example', 'deploy/**'],
  ...['gateway/src/**/*.ts', 'gateway/tools/**/*.ts'],
]
const exclude = ['**/node_modules/**', '**/*.test.ts']

test('only invalid command lines are reported', () => {
  const page = [
    'Name `postern route list`, `postern worker`, an option: `postern account show --json`, both `postern sender list|show`.',
    '`postern parked drop N` `postern parked drop N --reason …` `postern protection cap … --reason …`',
    '`postern parked show 7 --revel` `postern route lst` `postern account set ID --weigth 2` `postern sender list\\|shw`',
    '```sh',
    'postern account create shop-1 # prints its password',
    "POSTERN_CELL=B1 npx postern route put r --channels sms --options '{",
    '  "host": "smsc", "systemId": "me"',
    "}' && postern account create",
    'docker compose run --rm postern sender add <clientId> 0212345678 --proof-kind rumour --proof-reference x | cat',
    `postern route put r --channels sms --options '{"host":"smsc","systemId":"me","pasword":"env:POSTERN_ROUTE_SECRET_R"}'`,
    'psql -U postern -c nothing',
    '```',
  ].join('\n')
  assert.deepEqual(listFaults('a.md', findCommands('a.md', page)), [
    "a.md:5: postern account create shop-1: too many arguments for 'create'. Expected 0 arguments but got 1: shop-1.",
    'a.md:8: postern account create: --name <text> is required',
    "a.md:9: postern sender add <clientId> 0212345678 --proof-kind rumour --proof-reference x: --proof-kind must be one of certificate, phone-check, consent, carrier-review, operator, not 'rumour'",
    'a.md:10: postern route put r --channels sms --options {"host":"smsc","systemId":"me","pasword":"env:POSTERN_ROUTE_SECRET_R"}: smpp options: unknown option pasword; did you mean password?',
    'a.md:2: postern parked drop N: --reason <text> is required',
    "a.md:3: postern parked show 7 --revel: unknown option '--revel'",
    "a.md:3: postern route lst: command 'route lst' not found",
    "a.md:3: postern account set ID --weigth 2: unknown option '--weigth'",
    "a.md:3: postern sender shw: command 'sender shw' not found",
  ])
})

test('every command line of every page is valid', () => {
  const pages = globSync(patterns, { cwd: projectRoot, exclude, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const path = relative(projectRoot, file)
      return { path, found: findCommands(path, readFileSync(file, 'utf8')) }
    })
  // The help pages with their examples, and the tables of the site.
  pages.push({ path: 'commands.md', found: findCommands('commands.md', cliPage()) })
  for (const [name, text] of createTables()) {
    const path = `${name}.md`
    pages.push({ path, found: findCommands(path, text) })
  }
  const count = pages.flatMap(({ found }) => found).length
  assert.ok(count > 500, `${count} command lines`)
  assert.deepEqual(
    pages.flatMap(({ path, found }) => listFaults(path, found)),
    [],
  )
})
