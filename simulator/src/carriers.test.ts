import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { carriers } from './carriers.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

for (const carrier of carriers) {
  const { name, behaviours } = carrier
  test(`the help of ${name} lists every behaviour once`, () => {
    const listed = [...carrier.help().matchAll(/^ {2}(\d{4}) {2}/gm)].map(([, ending]) => ending!)
    assert.deepEqual(
      listed,
      behaviours.map(({ ending }) => ending),
    )
    assert.equal(new Set(listed).size, listed.length)
  })
}

for (const command of carriers.filter((carrier) => carrier.name !== 'smsc')) {
  const { name } = command

  test(`${name} reports readiness, serves its control port and stops on SIGTERM`, async () => {
    const child = spawn(process.execPath, [program, name, '--port', '0', '--control-port', '0'])
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { ready, controlPort } = JSON.parse(line.toString()) as { ready: string; controlPort: number }
    assert.equal(ready, name)
    const stats = await fetch(`http://127.0.0.1:${controlPort}/stats`)
    assert.equal(((await stats.json()) as { submits: number }).submits, 0)
    assert.equal((await fetch(`http://127.0.0.1:${controlPort}/nothing`)).status, 404)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    assert.equal(code, 0)
  })
}
