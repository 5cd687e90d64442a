/** Runs `.ci/run` with stubs in place of npm and node. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { projectRoot } from '../engines/paths.ts'

interface CiRun {
  readonly ok: boolean
  /** The last lines of its output. */
  readonly end: readonly string[]
  /** The npm commands that it ran, in order. */
  readonly commands: readonly string[]
}

/** `scripts` maps npm scripts, suites, `audit` and `packages` to replacement shell commands; all others succeed. */
function runCi(t: TestContext, scripts: Readonly<Record<string, string>>): CiRun {
  const folder = mkdtempSync(join(tmpdir(), 'postern-ci-run-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const programs = join(folder, 'node_modules/.bin')
  mkdirSync(programs, { recursive: true })
  cpSync(join(projectRoot, '.ci'), join(folder, '.ci'), { recursive: true })
  const cases = Object.entries({ test: 'echo "10 0 0" >"$POSTERN_TEST_RESULTS"', ...scripts })
  const stubs = {
    node: `
      case "$*" in
        */audit.ts) ${scripts.audit ?? 'true'} ;;
        *' install --tests') ${scripts.packages ?? 'true'} ;;
      esac`,
    chrt: '"${@:3}"',
    npm: `
      [[ $1 == run ]] && shift
      [[ $1 == suite ]] && shift 2
      echo "$1" >>'${folder}/commands'
      case $1 in ${cases.map(([name, command]) => `${name}) ${command} ;;`).join('\n')} esac`,
  }
  for (const [name, body] of Object.entries(stubs)) {
    writeFileSync(join(programs, name), `#!/bin/bash\n${body}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  const { status, stdout } = spawnSync(join(folder, '.ci/run'), { encoding: 'utf8' })
  const commands = readFileSync(join(folder, 'commands'), 'utf8').trim().split('\n')
  return { ok: status === 0, end: stdout.trimEnd().split('\n').slice(-30), commands }
}

test('a passing build counts its tests and fourteen checks', (t) => {
  const { ok, end } = runCi(t, {})
  assert.ok(ok, end.join('\n'))
  assert.equal(end.at(-1), '24 passed, 0 failed')
})

test('skipped tests and a skipped audit are counted separately', (t) => {
  const { ok, end } = runCi(t, { test: 'echo "10 0 3" >"$POSTERN_TEST_RESULTS"', audit: 'exit 77' })
  assert.ok(ok)
  assert.equal(end.at(-1), '23 passed, 0 failed, 4 skipped')
})

test('a failed installation of packages ends the build with its error', (t) => {
  const { ok, end, commands } = runCi(t, { packages: 'echo "E: Unable to fetch some archives"; exit 1' })
  assert.ok(!ok)
  assert.equal(end.at(-1), '1 passed, 1 failed')
  assert.ok(end.slice(-6).includes('E: Unable to fetch some archives'), end.join('\n'))
  assert.deepEqual(commands, ['ci'])
})

test('the last lines name failed tests', (t) => {
  const results = 'printf "9 1 0\\nfailed: a.test.ts > b: 1 !== 2\\n" >"$POSTERN_TEST_RESULTS"; exit 1'
  const { ok, end, commands } = runCi(t, { test: results })
  assert.ok(!ok)
  assert.equal(end.at(-1), '23 passed, 1 failed')
  assert.ok(end.includes('failed: a.test.ts > b: 1 !== 2'), end.join('\n'))
  assert.equal(commands.filter((name) => name === 'test').length, 1)
})

for (const [name, output] of [
  ['e2e', 'WRONG 2 messages have no report'],
  ['security', 'replay: BROKEN after 3 s'],
  ['chaos', 'WRONG lost'],
] as const) {
  test(`a failing ${name} stage fails the build without a second attempt`, (t) => {
    const { ok, end, commands } = runCi(t, { [name]: `echo '${output}'; exit 1` })
    assert.ok(!ok)
    assert.equal(end.at(-1), '23 passed, 1 failed')
    assert.ok(end.includes(output), end.join('\n'))
    assert.equal(commands.filter((command) => command === name).length, 1)
  })
}

test('a test stage without results fails', (t) => {
  const { ok, end } = runCi(t, { test: 'kill -9 $$' })
  assert.ok(!ok)
  assert.equal(end.at(-1), '14 passed, 1 failed')
})
