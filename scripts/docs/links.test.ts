/** Every page of the repository refers only to files, headings, names, settings and metrics that exist. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { cliPage } from '../../gateway/tools/cli-page.ts'
import { projectRoot } from '../services/paths.ts'
import { commandsFolder } from '../site/pages.ts'
import { findBrokenReferences, type Page } from './links.ts'

test('a broken link, anchor, path, name and setting are found, and correct ones are not', () => {
  const text = [
    '# A page',
    '[this](#a-page) [self](README.md#a-page) [root](package.json) [web](https://example.com/x)',
    '[gone](gone.md) [anchor](#elsewhere) `gateway/src/gone.ts` `platform/log.ts` `platform/gone.ts`',
    '[`log`](gateway/src/platform/log.ts): `createLog`, `noSuchName`',
    '`POSTERN_KNOWN` `POSTERN_UNKNOWN` `postern_known_total{result="late"}` `postern_unknown_total`',
    '```',
    '[not a link](in-code.md)',
    '```',
  ].join('\n')
  assert.deepEqual(
    findBrokenReferences(projectRoot, [{ path: 'README.md', text }], 'POSTERN_KNOWN postern_known_total'),
    [
      'README.md: no file for the link gone.md',
      'README.md: no heading for the link #elsewhere',
      'README.md: no file gateway/src/gone.ts',
      'README.md: no file platform/gone.ts',
      'README.md: no noSuchName in gateway/src/platform/log.ts',
      'README.md: nothing is called POSTERN_UNKNOWN',
      'README.md: nothing is called postern_unknown_total',
    ],
  )
})

test('all references of all pages exist', async () => {
  const pages: Page[] = [{ path: commandsFolder, text: cliPage() }]
  const exclude = ['**/node_modules/**', '.services/**', '.git/**', 'site/**']
  for await (const path of glob('**/*.md', { cwd: projectRoot, exclude }))
    pages.push({ path, text: readFileSync(join(projectRoot, path), 'utf8') })
  assert.ok(pages.length > 20, `${pages.length} pages`)
  // Generated from the configuration: its settings are spelt there by parts.
  let source = readFileSync(join(projectRoot, '.env.example'), 'utf8')
  for await (const file of glob(['gateway/src/**/*.ts', 'gateway/test/**/*.ts', 'scripts/**/*.ts'], {
    cwd: projectRoot,
  }))
    source += readFileSync(join(projectRoot, file), 'utf8')
  assert.deepEqual(findBrokenReferences(projectRoot, pages, source), [])
})
