/** Pages of the repository become pages of the site without losing a link, a picture or a character. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertPage } from './convert.ts'
import { sitePages } from './pages.ts'
import { starlightSidebar } from './sidebar.ts'

const pages = new Map([
  ['README.md', 'index'],
  ['docs/routes.md', 'routes'],
  ['docs/operations/README.md', 'operations'],
])
const convert = (text: string, repository?: string) =>
  convertPage({ file: 'docs/routes.md', text: `# The \`routes\`\n\n${text}`, pages, repository })

test('links lead to addresses, to the repository or lose their link, and code stays as it is', () => {
  const text = [
    '[front](../README.md#first-message) [self](#x) [`code` label](operations/README.md) [folder](operations) [web](https://x.example)',
    '[source](../gateway/src/main.ts) `[no](link.md)` Bearer <token>',
    '```sh',
    'echo <msgKey> [no](link.md)',
    '```',
    '![chart](img/a.svg) <img src="img/b.svg" width="7">',
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

test('every page has an address of its own', () => {
  const addresses = [...sitePages().values()]
  assert.equal(new Set(addresses).size, addresses.length)
})

test('the sidebar lists pages that exist, and those without a place at its end', () => {
  const list = JSON.stringify(
    starlightSidebar(['index', 'routes', 'connectors/smpp', 'ko/routes', 'new-page']),
  )
  assert.match(list, /"slug":"routes"/)
  assert.doesNotMatch(list, /"slug":"(?:install|index|ko\/routes|connectors\/smpp)"/)
  assert.match(list, /"label":"More".*"items":\[\{"slug":"new-page"\}\]\}\]$/)
})
