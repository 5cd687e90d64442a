/**
 * The code on docs/add-a-connector.md is that of gateway/test/example-connector, which the compiler and the linter check with
 * everything else: the page cannot show an interface that has changed.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
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
