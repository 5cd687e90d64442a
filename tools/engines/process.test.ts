import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { identify, isAlive, killTree, launch, runningFrom, signalAndWait } from './process.ts'

function sleeper(folder: string) {
  const pidFile = join(folder, 'sleeper.pid')
  const log = join(folder, 'sleeper.log')
  const script = 'echo started; sleep 30 & wait'
  return {
    pidFile,
    identity: launch({ command: 'sh', args: ['-c', script], env: {}, cwd: '/', log, pidFile }),
  }
}

test('a process is found by its pid file until it exits', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-process-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { pidFile, identity } = sleeper(folder)
  t.after(() => killTree(identity))
  assert.deepEqual(runningFrom(pidFile), identity)
  assert.equal(await signalAndWait(identity, 'SIGTERM', 5000), true)
  assert.equal(runningFrom(pidFile), undefined)
})

test('a process that has a child process is killed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-process-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { identity } = sleeper(folder)
  await killTree(identity)
  assert.equal(isAlive(identity), false)
})

test('another process with the same pid is not mistaken for the recorded one', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-process-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const pidFile = join(folder, 'other.pid')
  const self = identify(process.pid)
  assert.ok(self)
  writeFileSync(pidFile, JSON.stringify({ ...self, started: '1' }))
  assert.equal(runningFrom(pidFile), undefined)
  writeFileSync(pidFile, JSON.stringify(self))
  assert.deepEqual(runningFrom(pidFile), self)
  assert.ok(readFileSync(pidFile, 'utf8').includes(String(process.pid)))
})

test('the launch of a missing program fails', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-process-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [log, pidFile] = [join(folder, 'a.log'), join(folder, 'a.pid')]
  assert.throws(() => launch({ command: '/no/such', args: [], env: {}, cwd: '/', log, pidFile }), /started/)
})
