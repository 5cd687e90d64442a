import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { choosePort } from './free-ports.ts'

test('another process does not choose a reserved port while nothing listens on it', async () => {
  const port = await choosePort()
  // The first random number of the other process selects the reserved port: choosePort chooses among 8000 ports from 12000.
  const script = `
    const tries = [${port - 12_000} / 8_000 + 1e-9]
    const { random } = Math
    Math.random = () => tries.pop() ?? random()
    const { choosePort } = await import(${JSON.stringify(import.meta.resolve('./free-ports.ts'))})
    console.log(await choosePort(), tries.length)`
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const [other, untried] = stdout.trim().split(' ').map(Number)
  assert.equal(untried, 0)
  assert.notEqual(other, port)
})
