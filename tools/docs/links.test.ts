/** Pages refer only to existing files, headings, names, settings and metrics. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { cliPage } from '../../gateway/tools/cli-page.ts'
import { projectRoot } from '../engines/paths.ts'
import { commandsFolder } from './site/pages.ts'
import { createTables, fillTables } from './site/tables.ts'
import { findBrokenReferences, type Page } from './links.ts'

/** Returns the pages of the repository with their generated tables. */
async function readPages(): Promise<Page[]> {
  const pages: Page[] = []
  const tables = createTables()
  const exclude = ['**/node_modules/**', '.services/**', '.git/**', 'site/**']
  for await (const path of glob('**/*.md', { cwd: projectRoot, exclude }))
    pages.push({ path, text: fillTables(path, readFileSync(join(projectRoot, path), 'utf8'), tables) })
  return pages
}

test('only broken links, anchors, paths, names and settings are reported', () => {
  const text = [
    '# A page',
    '[this](#a-page) [self](README.md#a-page) [root](package.json) [web](https://example.com/x)',
    '[gone](gone.md) [anchor](#elsewhere) `gateway/src/gone.ts` `platform/logging/log.ts` `platform/gone.ts`',
    '[`log`](gateway/src/platform/logging/log.ts): `createLog`, `noSuchName`',
    '`POSTERN_KNOWN` `POSTERN_UNKNOWN` `postern_known_total{result="late"}` `postern_unknown_total`',
    '```',
    '[not a link](in-code.md)',
    '```',
  ].join('\n')
  assert.deepEqual(
    findBrokenReferences(projectRoot, [{ path: 'README.md', text }], 'POSTERN_KNOWN postern_known_total'),
    [
      'README.md: link target not found: gone.md',
      'README.md: heading not found: #elsewhere',
      'README.md: file not found: gateway/src/gone.ts',
      'README.md: file not found: platform/gone.ts',
      'README.md: noSuchName not found in gateway/src/platform/logging/log.ts',
      'README.md: POSTERN_UNKNOWN is not declared',
      'README.md: postern_unknown_total is not declared',
    ],
  )
})

test('all references of all pages exist', async () => {
  const pages = [{ path: commandsFolder, text: cliPage() }, ...(await readPages())]
  assert.ok(pages.length > 20, `${pages.length} pages`)
  // .env.example has the full names of settings, which the configuration builds from parts.
  let source = readFileSync(join(projectRoot, '.env.example'), 'utf8')
  for await (const file of glob(
    ['compose.yaml', 'gateway/src/**/*.ts', 'gateway/test/**/*.ts', 'tools/**/*.ts'],
    { cwd: projectRoot },
  ))
    source += readFileSync(join(projectRoot, file), 'utf8')
  assert.deepEqual(findBrokenReferences(projectRoot, pages, source), [])
})

test('pages that programs, alerts and settings name exist, with their headings', async () => {
  const pages = await readPages()
  const sources = [
    '{client,console,gateway,simulator}/src/**/*.{ts,tsx}',
    'deploy/**/*.{yml,yaml,env,service}',
  ]
  for await (const file of glob([...sources, 'compose*.yaml', '.env.example'], { cwd: projectRoot })) {
    const source = readFileSync(join(projectRoot, file), 'utf8')
    const named = [...source.matchAll(/(?<![\w./-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([link]) => link)
    if (named.length > 0) pages.push({ path: `${file}.md`, text: toLinks(file, named) })
  }
  assert.deepEqual(findBrokenReferences(projectRoot, pages, '').filter(isLinkFault), [])
})

/** Names of pages are relative to the root of the repository, in the simulator to its package. */
function toLinks(file: string, named: readonly string[]): string {
  const depth = file.split('/').length - (file.startsWith('simulator/') ? 2 : 1)
  return named.map((link) => `[page](${'../'.repeat(depth)}${link})`).join('\n')
}

const isLinkFault = (fault: string): boolean => /link target not found|heading not found/.test(fault)

test('pages that are published in a package link only to files of the package', () => {
  const pages = globSync(['{gateway,client}/README.md', 'simulator/{,docs/}*.md'], { cwd: projectRoot })
  assert.ok(pages.length > 5, `${pages.length} pages`)
  const outside = pages.flatMap((page) =>
    [...readFileSync(join(projectRoot, page), 'utf8').matchAll(/\]\(([^):]+)\)/g)]
      .map(([, link]) => join(dirname(page), link!))
      .filter((target) => !target.startsWith(page.split('/')[0]!))
      .map((target) => `${page}: ${target}`),
  )
  assert.deepEqual(outside, [])
})
