/** The npm scripts, suites and programs of the checkout that pages name exist. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { suites } from '../../gateway/test/suites.ts'
import { projectRoot } from '../engines/paths.ts'

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}
const names = new Set(suites.map(({ name }) => name))

/** Returns one line per command that cannot be run. */
function findUnknown(page: string): string[] {
  const unknown: string[] = []
  for (const [command, script, suite] of page.matchAll(
    /\bnpm run (?:--silent |-s )?([a-z][a-z0-9:-]*)(?: -- ([a-z][a-z0-9:-]*))?/g,
  ))
    if (!Object.hasOwn(scripts, script!) || (script === 'suite' && suite !== undefined && !names.has(suite)))
      unknown.push(command)
  for (const [command, file] of page.matchAll(/\bnode (?:--[a-z-]+ )*(?:\/app\/)?([a-z][\w./-]*\.ts)\b/g))
    if (!existsSync(join(projectRoot, file!))) unknown.push(command)
  return unknown
}

test('only unknown scripts, suites and programs are reported', () => {
  const page =
    '`npm run chek` `npm run check` `npm run suite -- chaoss` `npm run suite -- chaos` `node tools/x.ts`'
  assert.deepEqual(findUnknown(page), ['npm run chek', 'npm run suite -- chaoss', 'node tools/x.ts'])
})

test('every script, suite and program on a page exists', () => {
  const pages = globSync(['*.md', '{bench,client,console,docs,gateway,simulator}/**/*.md'], {
    cwd: projectRoot,
    exclude: ['**/node_modules/**'],
  })
  const unknown = pages.flatMap((page) =>
    findUnknown(readFileSync(join(projectRoot, page), 'utf8')).map((command) => `${page}: ${command}`),
  )
  assert.deepEqual(unknown, [])
})

test('pages for users run `postern` as an installed command', () => {
  const pages = globSync('docs/{start,guides,operations,reference,concepts,ko}/**/*.md', { cwd: projectRoot })
  const checkoutPages = pages.filter((page) =>
    /npx postern|npm run postern/.test(readFileSync(join(projectRoot, page), 'utf8')),
  )
  // This page explains the ways to run it.
  assert.deepEqual(checkoutPages, ['docs/operations/command-line.md'])
})
