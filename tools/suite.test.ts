import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { suites } from '../gateway/test/suites.ts'
import { projectRoot } from './engines/paths.ts'

test('every suite runs a file that exists', () => {
  for (const { name, run } of suites) {
    const files = run.filter((argument) => argument.endsWith('.ts'))
    assert.ok(files.length > 0, name)
    for (const file of files) assert.ok(globSync(file, { cwd: projectRoot }).length > 0, `${name}: ${file}`)
  }
  assert.equal(new Set(suites.map(({ name }) => name)).size, suites.length)
})

test('CI runs the suites that the table marks', () => {
  const script = readFileSync(join(projectRoot, '.ci/run'), 'utf8')
  const named = [...script.matchAll(/npm run (?:suite -- )?([a-z][a-z0-9:-]*)/g)].map(([, name]) => name!)
  const marked = suites.filter(({ ci }) => ci !== undefined).map(({ name }) => name)
  assert.deepEqual(named.filter((name) => suites.some((suite) => suite.name === name)).sort(), marked.sort())
})
