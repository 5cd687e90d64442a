import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { projectRoot } from '../engines/paths.ts'
import { writeProcesses } from './test-processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'postern-run-tests-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0

/** Writes a test file. Its `isFirstRun` is false when the file runs again. */
function writeTests(content: string): string {
  const file = join(folder, `${++files}.test.ts`)
  const first = JSON.stringify(`${file}.first`)
  const waiting = JSON.stringify(join(projectRoot, 'gateway/test/support/wait.ts'))
  writeFileSync(
    file,
    `import assert from 'node:assert/strict'
     import { existsSync, writeFileSync } from 'node:fs'
     import { suite, test } from 'node:test'
     import { waitFor } from ${waiting}
     const isFirstRun = !existsSync(${first})
     writeFileSync(${first}, '')
     const waitInVain = () => waitFor('nothing', () => false, { timeoutMs: 10 })
     const hang = () => new Promise((resolve) => setTimeout(resolve, 500))
     ${content}`,
  )
  return relative(projectRoot, file)
}

interface Run {
  readonly ok: boolean
  /** Number of passed, failed and skipped tests. */
  readonly counts: string
  /** Failures and files that timed out once. */
  readonly lines: readonly string[]
  readonly output: string
}

function run(...paths: readonly string[]): Run {
  const results = join(folder, 'results')
  const environment: NodeJS.ProcessEnv = { ...process.env, POSTERN_TEST_RESULTS: results }
  // A runner that a test started would report to that test.
  delete environment.NODE_TEST_CONTEXT
  const { status, stdout } = spawnSync(process.execPath, ['tools/test/test.ts', ...paths], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: environment,
  })
  const [counts, ...lines] = readFileSync(results, 'utf8').trimEnd().split('\n')
  return { ok: status === 0, counts: counts!, lines, output: stdout }
}

function runInOneProcess(...paths: readonly string[]): Run {
  const processes = writeProcesses([paths])
  const ended = run(...processes.files)
  processes.remove()
  return ended
}

test('a failed assertion is final', () => {
  const file = writeTests(`test('a', () => assert.ok(!isFirstRun))`)
  const { ok, counts, lines } = run(file)
  assert.ok(!ok)
  assert.equal(counts, '0 1 0')
  assert.equal(lines.length, 1)
  assert.ok(lines[0]!.startsWith(`failed: ${file} > a: `), lines[0])
})

for (const [what, timeout] of [
  ['waits in vain', `test('a', () => isFirstRun && waitInVain())`],
  ['exceeds its time limit', `test('a', { timeout: 10 }, () => isFirstRun && hang())`],
  [
    'is cancelled with its parent',
    `test('a', { timeout: 10 }, (t) => t.test('b', () => isFirstRun && hang()))`,
  ],
] as const) {
  test(`a file with a test that ${what} is run once more and reported`, () => {
    const file = writeTests(timeout)
    const { ok, counts, lines, output } = run(file)
    assert.ok(ok, output)
    assert.equal(counts, '1 0 0')
    assert.deepEqual(lines, [`timed out once, passed when repeated: ${file}`])
  })
}

test('a file that times out twice fails', () => {
  const { ok, counts, lines } = run(writeTests(`test('a', waitInVain)`))
  assert.ok(!ok)
  assert.equal(counts, '0 1 0')
  assert.match(lines[0]!, /^timed out: .* > a: timed out after 10 ms waiting for nothing$/)
})

test('a timeout is not repeated if an assertion fails in any file', () => {
  const timeout = `test('a', () => isFirstRun && waitInVain())`
  const failure = `test('b', () => assert.ok(!isFirstRun))`
  assert.equal(run(writeTests(`${timeout}\n${failure}`)).counts, '0 2 0')
  assert.equal(run(writeTests(timeout), writeTests(failure)).counts, '0 2 0')
})

test('a file that times out in a shared process is run again in a separate one', () => {
  const late = writeTests(`test('a', () => isFirstRun && waitInVain())`)
  const { ok, counts, lines, output } = runInOneProcess(late, writeTests(`test('b', () => {})`))
  assert.ok(ok, output)
  assert.equal(counts, '2 0 0')
  assert.deepEqual(lines, [`timed out once, passed when repeated: ${late}`])
})

test('only tests are counted, skipped ones separately', () => {
  const tests = writeTests(`
    suite('s', () => {
      test('a', () => {})
      test('b', { skip: 'no parser' }, () => {})
    })
    test('c', async (t) => {
      await t.test('d', () => {})
      await t.test('e', () => {})
    })`)
  assert.equal(run(tests).counts, '3 0 1')
  assert.equal(runInOneProcess(tests).counts, '3 0 1')
})

test('a file that runs no test fails', () => {
  for (const content of ['', 'process.exit(0)'])
    assert.equal(run(writeTests(content), writeTests(`test('a', () => {})`)).counts, '1 1 0')
})

test('an error after the end of a test fails in addition to a timeout', () => {
  const late = writeTests(`test('a', () => isFirstRun && waitInVain())`)
  const rejected = writeTests(`test('b', () => { setTimeout(() => Promise.reject(new Error('late')), 5) })`)
  const { ok, lines } = runInOneProcess(rejected, late)
  assert.ok(!ok, lines.join('\n'))
})

test('a file that fails between two of its tests fails the run, and the next file runs', () => {
  const failing = writeTests(`test('a', () => {})\nthrow new Error('between')`)
  const { ok, lines, output } = runInOneProcess(failing, writeTests(`test('c', () => {})`))
  assert.ok(!ok, output)
  assert.deepEqual(lines, [`failed: ${failing}: between`])
  assert.match(output, /✔ c/)
})

test('a killed process fails the run even after a timeout', () => {
  const killed = writeTests(`test('a', () => hang().then(() => process.kill(process.pid, 'SIGKILL')))`)
  const separate = run(killed)
  assert.deepEqual([separate.ok, separate.lines], [false, [`failed: ${killed}: SIGKILL`]])
  const late = writeTests(`test('a', () => isFirstRun && waitInVain())`)
  const { ok, lines, output } = runInOneProcess(late, killed, writeTests(`test('b', () => {})`))
  assert.ok(!ok, output)
  assert.match(lines.join('\n'), /^failed: .*01\.test\.mjs: its process ended early$/m)
})
