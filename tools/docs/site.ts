// `npm run site [-- --serve]`: builds the documentation site from docs/ into site/dist, with its search,
// generated tables, and pages for commands, operations of the API and codes. Fails on a broken link. Installs
// its packages, which are separate from those of the project, if they are missing. POSTERN_SITE_URL is the
// address of the site and POSTERN_SITE_REPOSITORY the base URL of source files; without it links to source
// files are plain text.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { cliPage } from '../../gateway/tools/cli-page.ts'
import { codePages } from '../../gateway/tools/code-pages.ts'
import { metricPage } from '../../gateway/tools/metric-page.ts'
import { operationPage } from '../../gateway/tools/operation-page.ts'
import { print, formatElapsed } from '../engines/print.ts'
import { projectRoot } from '../engines/paths.ts'
import { convertPage } from './site/convert.ts'
import { commandsFolder, metricsFile, operationsFile, sitePages } from './site/pages.ts'
import { starlightSidebar } from './site/sidebar.ts'
import { createTables, fillTables } from './site/tables.ts'

const { values } = parseArgs({ options: { serve: { type: 'boolean', default: false } } })
const folder = join(projectRoot, 'site')
const content = join(folder, 'src/content/docs')
const from = performance.now()
const frontPage = [
  'template: splash',
  'hero:',
  '  title: Postern',
  '  tagline: One HTTP API for SMS, MMS, RCS and Kakao messages, with exactly one outcome for each.',
  '  actions:',
  '    - { text: First message, link: /start/first-message/, icon: right-arrow }',
  '    - { text: Guarantees, link: /concepts/guarantees/, variant: minimal }',
  '    - { text: API reference, link: /api/, variant: minimal }',
]

/** Maps source paths to functions that generate their pages. */
const generatedPages: Readonly<Record<string, () => string>> = {
  [commandsFolder]: cliPage,
  [metricsFile]: metricPage,
  [operationsFile]: operationPage,
}

const written = writePages()
print(`${written.length} pages (${formatElapsed(from)})`)
if (!existsSync(join(folder, 'node_modules'))) run('npm', 'ci', '--no-audit', '--no-fund')
// Ignores the cache of earlier builds, so that a changed configuration takes effect.
run('npx', 'astro', 'build', '--force')
const searchable = readFileSync(join(folder, 'dist/pagefind/pagefind-entry.json'), 'utf8')
const { languages } = JSON.parse(searchable) as { languages: Record<string, { page_count: number }> }
const counts = Object.entries(languages).map(([language, { page_count: count }]) => `${language} ${count}`)
print(`site/dist is built, pages in its search: ${counts.join(', ')} (${formatElapsed(from)})`)
if (values.serve) run('npx', 'astro', 'preview')

function writePages(): string[] {
  rmSync(content, { recursive: true, force: true })
  const pages = sitePages()
  const tables = createTables()
  const codes = codePages()
  const addresses = [...pages.values(), ...codes.keys()]
  const images = join(folder, 'public/img')
  mkdirSync(images, { recursive: true })
  for (const [file, address] of pages) {
    const page = convertPage({
      file,
      text: fillTables(file, readPage(file), tables),
      pages,
      repository: process.env.POSTERN_SITE_REPOSITORY,
      ...(file === 'README.md' ? { frontMatter: frontPage } : {}),
    })
    for (const image of page.images) cpSync(join(projectRoot, image), join(images, image.split('/').at(-1)!))
    write(address, page.text)
  }
  for (const [address, text] of codes) write(address, text)
  const list = starlightSidebar(addresses)
  writeFileSync(join(folder, 'src/sidebar.json'), `${JSON.stringify(list, null, 2)}\n`)
  return addresses
}

function readPage(file: string): string {
  return generatedPages[file]?.() ?? readFileSync(join(projectRoot, file), 'utf8')
}

function write(address: string, text: string): void {
  const path = join(content, `${address === 'ko' ? 'ko/index' : address}.md`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  })
}
