/**
 * Runs the conformance tests of file stores against a real S3 server. Versity's gateway is built with Go the
 * first time, which takes minutes, and kept next to the other services.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { servicesDirectory } from '../../../tools/engines/paths.ts'
import { addCleanup } from '../support/cleanup.ts'
import { choosePort } from '../../../tools/engines/free-ports.ts'
import { waitFor } from '../support/wait.ts'
import { createFileKey } from '../../src/records/files/file.ts'
import { openS3Store, type S3Options } from '../../src/records/files/storage/s3.ts'
import { filesBelow, temporaryFolder } from '../support/files/test-bed.ts'
import { testFileStore } from '../support/files/store-conformance.ts'

const version = 'v1.8.0'

/** Returns the built server, shared by all runs with the same services. */
async function s3Server(): Promise<string> {
  const folder = join(servicesDirectory(), 'bin')
  const program = join(folder, `versitygw-${version}`)
  if (existsSync(program)) return program
  if (spawnSync('go', ['version']).status !== 0) {
    throw new Error('building the S3 server of this test requires Go; install golang or use go.dev/dl')
  }
  process.stderr.write('building the S3 server of this test with Go, once; this takes minutes\n')
  const target = join(folder, `building-${process.pid}`)
  const built = spawnSync('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${version}`], {
    encoding: 'utf8',
    env: { ...process.env, GOBIN: target },
  })
  if (built.status !== 0) throw new Error(`cannot build the S3 server:\n${built.stderr.slice(-2_000)}`)
  // Renamed when it is complete: a killed run leaves no partial program behind.
  await rename(join(target, 'versitygw'), program)
  await rm(target, { recursive: true })
  return program
}

async function startServer(): Promise<{ readonly folder: string; readonly options: S3Options }> {
  const [program, folder, port] = [await s3Server(), await temporaryFolder(), await choosePort()]
  const bucket = 'postern-files'
  await mkdir(join(folder, bucket))
  const credentials = { accessKeyId: 'postern', secretAccessKey: 'not-a-secret' }
  const child = spawn(program, ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', folder], {
    env: { ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text))
  addCleanup(async () => {
    if (child.exitCode !== null) return
    child.kill()
    await once(child, 'exit')
  })
  const endpoint = `http://127.0.0.1:${port}`
  await waitFor('the S3 server', async () => {
    if (child.exitCode !== null) throw new Error(`the S3 server exited:\n${errorOutput}`)
    return fetch(endpoint).then(
      () => true,
      () => false,
    )
  })
  return { folder, options: { bucket, region: 'us-east-1', endpoint, credentials } }
}

const { folder, options } = await startServer()
testFileStore('a bucket', openS3Store(options))

test('stores an object under its key and removes it', async () => {
  const store = openS3Store(options)
  const key = createFileKey(new Date())
  await store.put(key, Readable.from([Buffer.from('as they are')]))
  assert.ok((await filesBelow(join(folder, options.bucket))).includes(key))
  await store.remove(key)
  assert.ok(!(await filesBelow(join(folder, options.bucket))).includes(key))
})

test('reports a wrong secret key and a missing bucket', async () => {
  const content = (): Readable => Readable.from([Buffer.from('x')])
  const key = createFileKey(new Date())
  const wrong = { accessKeyId: 'postern', secretAccessKey: 'wrong' }
  await assert.rejects(openS3Store({ ...options, credentials: wrong }).put(key, content()), {
    name: 'SignatureDoesNotMatch',
  })
  await assert.rejects(openS3Store({ ...options, bucket: 'nowhere' }).put(key, content()), {
    name: 'NoSuchBucket',
  })
})
