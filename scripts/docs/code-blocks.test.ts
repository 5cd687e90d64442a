/**
 * Code on pages is code that is run or compiled elsewhere, so a page cannot show an interface that has changed:
 * docs/add-a-connector.md shows gateway/test/example-connector, docs/clients.md the programs of interop/generated.
 */
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { versions } from '../../interop/generated/versions.ts'
import { readBlocks } from '../guides/blocks.ts'
import { projectRoot } from '../services/paths.ts'

const folder = join(projectRoot, 'gateway/test/example-connector')
const page = readFileSync(join(projectRoot, 'docs/add-a-connector.md'), 'utf8')

/** By the name that the first line of a block gives, as a file in that folder. */
const blocks = Object.fromEntries(
  [...page.matchAll(/^( *)```ts file=(\S+)\n([^]*?)^ *```$/gm)].map(([, indent, name, code]) => [
    name!,
    code!
      .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      .replaceAll("from '../", "from '../../src/connectors/"),
  ]),
)

test('the code of a new connector is that of the example, which compiles', () => {
  assert.deepEqual(Object.keys(blocks).sort(), readdirSync(folder).sort())
  for (const [name, code] of Object.entries(blocks))
    assert.equal(
      inOneLine(code),
      inOneLine(readFileSync(join(folder, name), 'utf8')),
      `${name} differs from the page`,
    )
})

/** The longer paths of imports are broken into other lines. */
function inOneLine(code: string): string {
  return code.replaceAll(/\s+/g, ' ').replaceAll(', }', ' }')
}

test('docs/clients.md shows code of the programs that use generated clients', () => {
  const clients = readFileSync(join(projectRoot, 'docs/clients.md'), 'utf8')
  for (const [name, version] of Object.entries(versions))
    assert.match(clients, new RegExp(`${name}(==|@|-)${version}`))
  for (const language of ['python', 'go', 'java']) {
    const programs = globSync(join(projectRoot, 'interop/generated', language, '*.*')).map((file) =>
      readFileSync(file, 'utf8'),
    )
    const shown = readBlocks(clients).filter((block) => block.language === language)
    assert.ok(shown.length > 0, language)
    for (const { line, code } of shown)
      assert.ok(
        programs.some((program) => program.includes(code) || program.includes(indent(code))),
        `docs/clients.md:${line} is not in interop/generated/${language}`,
      )
  }
})

/** Methods of Java are in a class; the page shows them without it. */
function indent(code: string): string {
  return code.replaceAll(/^(?=.)/gm, '  ')
}
