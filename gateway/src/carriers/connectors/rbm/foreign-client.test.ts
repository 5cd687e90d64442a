/**
 * Google's generated client reads the golden requests, builds the same requests itself, and sends them to the simulator after a
 * login with Google's authentication library. `npm run engines -- install --tests` installs both; without them the test is
 * skipped.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { thirdPartyParsers, skipWithout } from '../../../../test/support/carriers/third-party-parsers.ts'
import { Program } from '../../../../test/support/processes/program.ts'
import { goldenCases, goldenFolder } from '../../../../test/support/carriers/rbm-golden.ts'
import { publicKey, serviceAccount } from '../../../../test/support/carriers/rbm.ts'
import { waitFor } from '../../../../test/support/wait.ts'

interface Found {
  readonly method: string
  readonly url: string
  /** The message, written by the client; absent for other requests. */
  readonly body?: string
  readonly unknown: readonly string[]
  readonly answer: string
  readonly unknownInAnswer: readonly string[]
}

const source = join(import.meta.dirname, '../../../../test/foreign/rbm/SendRbm.java')

test(
  'Google’s client knows every field and sends the same requests',
  { skip: skipWithout('rbm') },
  async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'rbm-client-'))
    const keys = { public: join(directory, 'public.pem'), account: join(directory, 'account.json') }
    await writeFile(keys.public, publicKey)
    const args = ['rbm', '--port', '0', '--control-port', '0', '--any-file', '--public-key', keys.public]
    const script = 'simulator/src/main.ts'
    const simulator = new Program({ name: 'rbm', script, args, environment: {}, directory })
    t.after(() => simulator.stop())
    simulator.start()
    const line = await waitFor('the simulator', async () =>
      (await readFile(simulator.logFile, 'utf8')).split('\n').find((text) => text.includes('"ready"')),
    )
    const root = `http://127.0.0.1:${(JSON.parse(line) as { readonly port: number }).port}/`
    // Google's library reads the id as well.
    await writeFile(keys.account, serviceAccount({ token_uri: `${root}token`, client_id: '1' }))

    const cases = goldenCases()
    const { stdout } = await promisify(execFile)(
      'java',
      [
        '-cp',
        join(thirdPartyParsers.rbm, '*'),
        source,
        keys.account,
        root,
        ...cases.map(({ name }) => join(goldenFolder, `${name}.http`)),
      ],
      { timeout: 120_000, maxBuffer: 10_000_000 },
    )
    const found = JSON.parse(stdout) as readonly Found[]
    assert.equal(found.length, cases.length)
    for (const [index, { name, request }] of cases.entries()) {
      const { method, url, body, unknown, answer, unknownInAnswer } = found[index]!
      assert.deepEqual([unknown, unknownInAnswer], [[], []], name)
      assert.equal(method, request.method, name)
      assert.deepEqual(target(new URL(url)), target(new URL(request.url, root)), name)
      const sent = body === undefined ? {} : (JSON.parse(String(request.body)) as object)
      assert.deepEqual(JSON.parse(body ?? '{}'), sent, name)
      const { contentMessage } = JSON.parse(answer) as { readonly contentMessage?: object }
      assert.deepEqual(contentMessage, (sent as { readonly contentMessage?: object }).contentMessage, name)
    }
  },
)

function target({ pathname, searchParams }: URL): unknown {
  // The client names the kind of an upload; Google's guide does not.
  searchParams.delete('uploadType')
  // The client escapes the plus sign of a number.
  return [decodeURIComponent(pathname), [...searchParams].toSorted()]
}
