/** A process that runs several test files fails with any of them, also with one that fails between two of its tests. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { projectRoot } from './services/paths.ts'
import { writeProcesses } from './test-processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'postern-test-processes-'))
after(() => rmSync(folder, { recursive: true }))

/** How a run of these files ends. */
function run(...contents: string[]): { readonly ok: boolean; readonly output: string } {
  const files = contents.map((content, index) => {
    const file = join(folder, `${index}-${contents.length}.test.mjs`)
    writeFileSync(file, `import { test } from 'node:test'\n${content}\n`)
    return relative(projectRoot, file)
  })
  const processes = writeProcesses([files])
  const environment = { ...process.env }
  // A runner that is started by a test would report to it.
  delete environment['NODE_TEST_CONTEXT']
  const { status, stdout } = spawnSync(process.execPath, ['--test', ...processes.files], {
    ...{ encoding: 'utf8', env: environment },
  })
  processes.remove()
  return { ok: status === 0, output: stdout }
}

test('the run ends well when all files do', () => {
  const { ok, output } = run(`test('a', () => {})`, `test('b', () => {})`)
  assert.ok(ok, output)
})

test('a file that fails between two of its tests fails the run, and the next file runs all the same', () => {
  const { ok, output } = run(`test('a', () => {})\nthrow new Error('between')`, `test('c', () => {})`)
  assert.ok(!ok, output)
  assert.match(output, /between/)
  assert.match(output, /✔ c/)
})
