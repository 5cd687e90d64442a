/** Every error class sets `name`, so that a log line or a stored reason identifies the error. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const folders = '{gateway/src,gateway/test,gateway/tools,simulator,tools,bench}/**/*.ts'
const declaration = /\bclass (\w+)(?:<[^{]*>)? extends (\w+)[^{]*\{\s*(.*)/g

test('every error class sets its own name', () => {
  const classes = globSync(folders, { cwd: root, exclude: (path) => path.includes('node_modules') }).flatMap(
    (path) =>
      [...readFileSync(`${root}/${path}`, 'utf8').matchAll(declaration)].map(
        ([, name = '', parent = '', firstLine = '']) => ({ path, name, parent, firstLine }),
      ),
  )
  const errors = new Set(['Error', 'AggregateError', 'RangeError', 'SyntaxError', 'TypeError'])
  // A class may stand before its parent in the list, so the set is completed in rounds.
  for (let before = 0; before < errors.size;) {
    before = errors.size
    for (const { name, parent } of classes) if (errors.has(parent)) errors.add(name)
  }
  const errorClasses = classes.filter(({ parent }) => errors.has(parent))
  assert.ok(errorClasses.length > 10, `only ${errorClasses.length} error classes were found`)
  const unnamed = errorClasses
    .filter(
      ({ name, firstLine }) => !new RegExp(`^override readonly name(: string)? = '${name}'`).test(firstLine),
    )
    .map(({ path, name }) => `${path}: ${name}`)
  assert.deepEqual(unnamed, [], 'start the class with: override readonly name = …')
})
