// `npm run site [-- --serve]`: builds the documentation site from docs/ into site/dist, with its search and a page for every operation of
// the API and every code. Fails on a link that leads nowhere. Its packages are apart from those of the project, and are installed when
// they are missing. POSTERN_SITE_URL is its address, POSTERN_SITE_REPOSITORY that of the files of the repository; without it links to
// source files are plain text.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { print, seconds } from './services/print.ts'
import { projectRoot } from './services/paths.ts'
import { convertPage } from './site/convert.ts'
import { commandsFolder, sitePages } from './site/pages.ts'
import { starlightSidebar } from './site/sidebar.ts'

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
  '    - { text: First message, link: "#first-message", icon: right-arrow }',
  '    - { text: Guides, link: /guides/, variant: minimal }',
  '    - { text: API reference, link: /api/, variant: minimal }',
]

const written = writePages()
print(`${written.length} pages (${seconds(from)})`)
if (!existsSync(join(folder, 'node_modules'))) run('npm', 'ci', '--no-audit', '--no-fund')
// Without what earlier builds have stored: a change of the configuration must show.
run('npx', 'astro', 'build', '--force')
const searchable = readFileSync(join(folder, 'dist/pagefind/pagefind-entry.json'), 'utf8')
const { languages } = JSON.parse(searchable) as { languages: Record<string, { page_count: number }> }
const counts = Object.entries(languages).map(([language, { page_count: count }]) => `${language} ${count}`)
print(`site/dist is built, pages in its search: ${counts.join(', ')} (${seconds(from)})`)
if (values.serve) run('npx', 'astro', 'preview')

function writePages(): string[] {
  rmSync(content, { recursive: true, force: true })
  const pages = sitePages()
  const codes = new Map(Object.entries(JSON.parse(runTool('code-pages.ts')) as Record<string, string>))
  const addresses = [...pages.values(), ...codes.keys()]
  const images = join(folder, 'public/img')
  mkdirSync(images, { recursive: true })
  for (const [file, address] of pages) {
    const page = convertPage({
      ...{ file, text: readPage(file), pages },
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
  return file === commandsFolder ? runTool('cli-page.ts') : readFileSync(join(projectRoot, file), 'utf8')
}

/** Returns what a program of gateway/tools prints. */
function runTool(name: string): string {
  return execFileSync(process.execPath, [join(projectRoot, 'gateway/tools', name)], { encoding: 'utf8' })
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
