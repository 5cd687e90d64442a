import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { UsageError } from './shared/command-line.ts'
import { startSmsc } from './smsc.ts'
import { smscCommand } from './commands/smsc.ts'
import { connectPeer } from './testing/peer.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

test('parses the documented options', () => {
  const options = smscCommand.parse(['--port', '0', '--system-id=me', '--record', '--seed', '7'])
  assert.deepEqual(options, { port: 0, systemId: 'me', record: true, seed: 7 })
  assert.equal(smscCommand.parse(['--help']), 'help')
  assert.match(smscCommand.help(), /--receipt-delay-ms <n> .*\(default 0\)/)
})

test('rejects unknown options and invalid values', () => {
  assert.throws(() => smscCommand.parse(['--prot', '1']), UsageError)
  assert.throws(() => smscCommand.parse(['--port', '99999']), /0 to 65535/)
  assert.throws(() => smscCommand.parse(['--rate', 'fast']), /--rate must be an integer/)
  assert.throws(() => smscCommand.parse(['--window', '0']), /at least 1/)
  assert.throws(() => smscCommand.parse(['stray']), UsageError)
})

test('reports readiness, serves, and stops on SIGTERM', async () => {
  const child = spawn(process.execPath, [program, 'smsc', '--port', '0', '--control-port', '0'])
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { ready, port } = JSON.parse(line.toString()) as { ready: string; port: number }
  assert.equal(ready, 'smsc')
  const peer = await connectPeer(port)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  assert.equal(code, 0)
  await peer.closed
})

test('exits with code 2 and usage help if the command line is invalid', async () => {
  const child = spawn(process.execPath, [program, 'smsc', '--nonsense'])
  const [text] = (await once(child.stderr, 'data')) as [Buffer]
  const [code] = (await once(child, 'exit')) as [number | null]
  assert.equal(code, 2)
  assert.match(text.toString(), /--nonsense[^]*--help/)
})

test('fails to start on a port in use, and leaves nothing behind', async () => {
  const first = await startSmsc()
  await assert.rejects(startSmsc({ port: first.port }), /EADDRINUSE/)
  await first.close()
})
