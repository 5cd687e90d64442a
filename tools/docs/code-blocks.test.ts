/**
 * Code on pages comes from code that is run or compiled, so that no page shows an outdated interface:
 * docs/contributing/add-a-connector.md shows gateway/test/contract/example-connector,
 * docs/guides/client-libraries.md the programs of gateway/test/contract/interop/generated.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { versions } from '../../gateway/test/contract/interop/generated/versions.ts'
import { readBlocks } from './guides/blocks.ts'
import { projectRoot } from '../engines/paths.ts'

const folder = join(projectRoot, 'gateway/test/contract/example-connector')
const page = readFileSync(join(projectRoot, 'docs/contributing/add-a-connector.md'), 'utf8')

/** Blocks by the file name in their first line. */
const blocks = Object.fromEntries(
  [...page.matchAll(/^( *)```ts file=(\S+)\n([^]*?)^ *```$/gm)].map(([, indent, name, code]) => [
    name!,
    code!
      .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      .replaceAll("from '../", "from '../../../src/carriers/connectors/"),
  ]),
)

test('the page for a new connector shows the compiled example', () => {
  assert.ok(Object.keys(blocks).length >= 2)
  for (const [name, code] of Object.entries(blocks))
    assert.equal(
      inOneLine(code),
      inOneLine(readFileSync(join(folder, name), 'utf8')),
      `${name} differs from the page`,
    )
})

/** Joins lines, because the longer import paths are wrapped differently. */
function inOneLine(code: string): string {
  return code.replaceAll(/\s+/g, ' ').replaceAll(', }', ' }')
}

test('docs/guides/client-libraries.md shows code of the programs that use generated clients', () => {
  const clients = readFileSync(join(projectRoot, 'docs/guides/client-libraries.md'), 'utf8')
  for (const [name, version] of Object.entries(versions))
    assert.match(clients, new RegExp(`${name}(==|@|-)${version}`))
  for (const language of ['python', 'go', 'java']) {
    const programs = globSync(
      join(projectRoot, 'gateway/test/contract/interop/generated', language, '*.*'),
    ).map((file) => readFileSync(file, 'utf8'))
    const codeBlocks = readBlocks(clients).filter((block) => block.language === language)
    assert.ok(codeBlocks.length > 0, language)
    for (const { line, code } of codeBlocks)
      assert.ok(
        programs.some((program) => program.includes(code) || program.includes(indent(code))),
        `docs/guides/client-libraries.md:${line} is not in gateway/test/contract/interop/generated/${language}`,
      )
  }
})

/** Java methods are in a class; the page shows them without it. */
function indent(code: string): string {
  return code.replaceAll(/^(?=.)/gm, '  ')
}
