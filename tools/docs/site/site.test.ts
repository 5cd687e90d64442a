import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../engines/paths.ts'
import { convertPage } from './convert.ts'
import { sitePages } from './pages.ts'
import { isUnlisted, starlightSidebar } from './sidebar.ts'
import { createTables, fillTables } from './tables.ts'

const pages = new Map([
  ['README.md', 'index'],
  ['docs/operations/routes.md', 'routes'],
  ['docs/operations/README.md', 'operations'],
])
const convert = (text: string, repository?: string) =>
  convertPage({ file: 'docs/operations/routes.md', text: `# The \`routes\`\n\n${text}`, pages, repository })

test('links become addresses, repository URLs or plain text; code stays unchanged', () => {
  const text = [
    '[front](../../README.md#first-message) [self](#x) [`code` label](README.md) [folder](../operations) [web](https://x.example)',
    '[source](../../gateway/src/main.ts) `[no](link.md)` Bearer <token>',
    '```sh',
    'echo <msgKey> [no](link.md)',
    '```',
    '![chart](../img/a.svg) <img src="../img/b.svg" width="7">',
  ].join('\n')
  const { title, text: page, images } = convert(text)
  assert.equal(title, 'The routes')
  assert.equal(
    page,
    [
      '---\ntitle: "The routes"\n---\n',
      '[front](/#first-message) [self](#x) [`code` label](/operations/) [folder](/operations/) [web](https://x.example)',
      'source `[no](link.md)` Bearer &lt;token>',
      '```sh',
      'echo <msgKey> [no](link.md)',
      '```',
      '![chart](/img/a.svg) <img src="/img/b.svg" width="7">',
    ].join('\n'),
  )
  assert.deepEqual(images, ['docs/img/b.svg', 'docs/img/a.svg'])
  assert.match(
    convert(text, 'https://forge.example/blob/main').text,
    /\[source\]\(https:\/\/forge.example\/blob\/main\/gateway\/src\/main\.ts\)/,
  )
})

test('every page has a unique address', () => {
  const addresses = [...sitePages().values()]
  assert.equal(new Set(addresses).size, addresses.length)
})

test('the sidebar is the tree of folders, with the named pages first', () => {
  const addresses = [
    ...[
      'index',
      'ko/guides/send',
      'reference/codes/a100',
      'reference/connectors/smpp',
      'reference/connectors',
    ],
    ...['guides/webhooks', 'guides/send', 'operations', 'operations/tls'],
  ]
  const list = JSON.stringify(starlightSidebar(addresses))
  assert.match(list, /"slug":"guides\/send"\},\{"slug":"guides\/webhooks"/)
  assert.match(list, /"slug":"operations"\},\{"slug":"operations\/tls"/)
  assert.match(
    list,
    /"label":"Connectors".*"slug":"reference\/connectors"\},\{"slug":"reference\/connectors\/smpp"/,
  )
  assert.doesNotMatch(list, /index|ko\/guides|a100/)
  assert.throws(() => starlightSidebar(['stray']), /the page stray is in no section/)
})

test('every listed page is in the sidebar once', () => {
  const addresses = [...sitePages().values()]
  const listed = [...JSON.stringify(starlightSidebar(addresses)).matchAll(/"slug":"([^"]+)"/g)].map(
    ([, slug]) => slug!,
  )
  assert.deepEqual(listed.toSorted(), addresses.filter((address) => !isUnlisted(address)).toSorted())
})

test('tables replace marked parts, and an unknown mark is rejected', () => {
  const tables = new Map([['rules', '| a |']])
  const page = 'before\n\n<!-- generated: rules -->\n\nnote\n\n<!-- /generated -->\n\nafter'
  assert.equal(fillTables('a.md', page, tables), 'before\n\n| a |\n\nafter')
  assert.throws(() => fillTables('a.md', page, new Map()), /a\.md: generated table 'rules' not found/)
  assert.throws(() => fillTables('a.md', '<!-- generated: rules -->', tables), /is not closed/)
})

test('the tables of all pages exist', () => {
  const tables = createTables()
  for (const file of sitePages().keys())
    if (file.endsWith('.md')) fillTables(file, readFileSync(join(projectRoot, file), 'utf8'), tables)
})
