/** Runs commands on the database and over a listening admin API, and compares what they print. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '../../src/operators/rights.ts'
import { createTopology } from '../../src/jobs/queues.ts'
import { createTestAdmin, type TestAdmin } from './admin.ts'
import { atEnd } from './cleanup.ts'
import { runCommand, type CommandOutput } from './command.ts'
import { serviceUrl } from './services.ts'

export interface BothWays extends TestAdmin {
  /** Of the admin API. */
  readonly adminUrl: string
  readonly onDatabase: (...args: string[]) => Promise<CommandOutput>
  readonly overHttp: (...args: string[]) => Promise<CommandOutput>
  /** With the key of another role; `onDatabase` and `overHttp` have that of the admin. */
  readonly as: (role: Role, ...args: string[]) => Promise<CommandOutput>
  /**
   * Runs it both ways, as text and with `--json`; returns the document. `before` restores what a run has changed, before each.
   */
  readonly compare: (args: readonly string[], options?: CompareOptions) => Promise<unknown>
}

export interface CompareOptions {
  readonly before?: () => unknown
  readonly exitCode?: number
}

/** Commands count the queues of every partition, of which the broker of tests declares a few. Returns the prefix of the queues. */
export async function declareEveryPartition({ broker, topology }: TestAdmin): Promise<string> {
  const prefix = topology.parked.name.replace(/parked$/, '')
  const { dispatch } = createTopology(prefix)
  await broker.declare(dispatch)
  atEnd(() => Promise.all(dispatch.map((queue) => broker.remove(queue))))
  return prefix
}

export async function startBothWays(): Promise<BothWays> {
  const admin = await createTestAdmin()
  const adminUrl = await admin.server.listen({ host: '127.0.0.1', port: 0 })
  const folder = mkdtempSync(join(tmpdir(), 'postern-profiles-'))
  atEnd(() => rmSync(folder, { recursive: true }))
  const prefix = await declareEveryPartition(admin)
  const database = {
    ...{ POSTERN_DATABASE_URL: admin.url, POSTERN_OPERATOR_KEY: admin.keys.admin, POSTERN_ADMIN_URL: '' },
    POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
    POSTERN_QUEUE_PREFIX: prefix,
  }
  // Nothing of the engines: whatever works, works over HTTP.
  const remote = (role: Role) => ({
    ...{ POSTERN_DATABASE_URL: '', POSTERN_BROKER_URLS: '', XDG_CONFIG_HOME: folder },
    ...{ POSTERN_ADMIN_URL: adminUrl, POSTERN_OPERATOR_KEY: admin.keys[role] },
  })
  const onDatabase = (...args: string[]) => runCommand(database, ...args)
  const as = (role: Role, ...args: string[]) => runCommand(remote(role), ...args)
  const overHttp = (...args: string[]) => as('admin', ...args)
  return {
    ...{ ...admin, adminUrl, onDatabase, overHttp, as },
    async compare(args, { before = () => undefined, exitCode = 0 } = {}) {
      const outputs: CommandOutput[] = []
      for (const way of [onDatabase, overHttp])
        for (const form of [[], ['--json']]) {
          await before()
          const output = await way(...args, ...form)
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
