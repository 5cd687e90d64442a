/** Runs commands on the database and over an admin API, and compares their output. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StaffRole } from '../../../src/identity/operators/rights.ts'
import { createTopology } from '../../../src/jobs/queues.ts'
import { createTestAdmin, type TestAdmin } from './admin.ts'
import { addCleanup } from '../cleanup.ts'
import { runCommand, type CapturedOutput } from '../command.ts'
import { serviceUrl } from '../engines/services.ts'

export interface BothWays extends TestAdmin {
  /** URL of the admin API. */
  readonly adminUrl: string
  readonly onDatabase: (...args: string[]) => Promise<CapturedOutput>
  readonly overHttp: (...args: string[]) => Promise<CapturedOutput>
  /** Runs with the key of another role; `onDatabase` and `overHttp` use that of the admin. */
  readonly as: (role: StaffRole, ...args: string[]) => Promise<CapturedOutput>
  /**
   * Runs a command on both backends, as text and with `--json`, and returns the document. `before` runs
   * before each, to restore what a run has changed.
   */
  readonly compare: (args: readonly string[], options?: CompareOptions) => Promise<unknown>
}

export interface CompareOptions {
  readonly before?: () => unknown
  readonly exitCode?: number
}

/**
 * Declares the queues of every partition, because commands count them and the test broker declares only a few.
 * Returns the prefix of the queues.
 */
export async function declareEveryPartition({ broker, topology }: TestAdmin): Promise<string> {
  const prefix = topology.parked.name.replace(/parked$/, '')
  const { dispatch } = createTopology(prefix)
  await broker.declare(dispatch)
  addCleanup(() => Promise.all(dispatch.map((queue) => broker.remove(queue))))
  return prefix
}

export async function startBothWays(): Promise<BothWays> {
  const admin = await createTestAdmin()
  const adminUrl = await admin.server.listen({ host: '127.0.0.1', port: 0 })
  const folder = mkdtempSync(join(tmpdir(), 'postern-profiles-'))
  addCleanup(() => rmSync(folder, { recursive: true }))
  const prefix = await declareEveryPartition(admin)
  const database = {
    POSTERN_DATABASE_URL: admin.url,
    POSTERN_OPERATOR_KEY: admin.keys.admin,
    POSTERN_ADMIN_URL: '',
    POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
    POSTERN_QUEUE_PREFIX: prefix,
  }
  // Without settings of the engines, so that everything that works uses HTTP.
  const remote = (role: StaffRole) => ({
    POSTERN_DATABASE_URL: '',
    POSTERN_BROKER_URLS: '',
    XDG_CONFIG_HOME: folder,
    POSTERN_ADMIN_URL: adminUrl,
    POSTERN_OPERATOR_KEY: admin.keys[role],
  })
  const onDatabase = (...args: string[]) => runCommand(database, ...args)
  const as = (role: StaffRole, ...args: string[]) => runCommand(remote(role), ...args)
  const overHttp = (...args: string[]) => as('admin', ...args)
  return {
    ...admin,
    adminUrl,
    onDatabase,
    overHttp,
    as,
    async compare(args, { before = () => undefined, exitCode = 0 } = {}) {
      const outputs: CapturedOutput[] = []
      for (const run of [onDatabase, overHttp])
        for (const form of [[], ['--json']]) {
          await before()
          const output = await run(...args, ...form)
          assert.equal(output.exitCode, exitCode, output.stderr)
          outputs.push(output)
        }
      const [text, json, remoteText, remoteJson] = outputs
      assert.deepEqual(JSON.parse(remoteJson!.stdout), JSON.parse(json!.stdout))
      assert.equal(remoteText!.stdout, text!.stdout)
      assert.notEqual(text!.stdout, '')
      return JSON.parse(json!.stdout) as unknown
    },
  }
}
