/** An SMPP server with a separate database and queues; the test simulates the stages after accept. */
import type { Config } from '../../../src/platform/settings/config.ts'
import { inTransaction } from '../../../src/platform/database/database.ts'
import type { AcceptedJob } from '../../../src/jobs/jobs.ts'
import { hashPassword } from '../../../src/identity/accounts/password.ts'
import { insertCredential } from '../../../src/identity/accounts/credential-queries.ts'
import { createKeyId } from '../../../src/identity/accounts/key.ts'
import type { Scope } from '../../../src/identity/accounts/credential.ts'
import type { AccountSettings } from '../../../src/identity/accounts/account.ts'
import { recordMessages } from '../../../src/records/messages/record.ts'
import { closeMessages } from '../../../src/records/messages/close.ts'
import type { Cause } from '../../../src/channels/cause.ts'
import type { Role } from '../../../src/roles/role.ts'
import { startSmppServer } from '../../../src/roles/smpp-server.ts'
import { createTestBroker } from '../engines/broker.ts'
import { addCleanup } from '../cleanup.ts'
import { createTestDatabase } from '../engines/database.ts'
import { createAccount } from '../fixtures.ts'
import { createMemoryLog } from '../memory-log.ts'
import { createTestRuntime } from '../runtime.ts'

export const smppPassword = 'secret99'

export interface RunningServer {
  readonly port: number
  readonly role: Role
  readonly lines: readonly string[]
}

export async function openSmppServers() {
  const { database } = await createTestDatabase()
  const testBroker = await createTestBroker()
  const { broker, topology } = testBroker
  const hash = await hashPassword(smppPassword)

  async function start(settings: Partial<Config> = {}): Promise<RunningServer> {
    const { log, lines } = createMemoryLog()
    const role = await startSmppServer(
      createTestRuntime({
        database,
        broker,
        topology,
        log,
        role: 'smpp-server',
        smppServerPort: 0,
        drainSeconds: 5,
        ...settings,
      }),
    )
    let stopped: Promise<void> | undefined
    const drainOnce = (): Promise<void> => (stopped ??= role.drain())
    addCleanup(drainOnce)
    const { port } = lines
      .map((line) => JSON.parse(line) as { msg?: string; port?: number })
      .find(({ msg }) => msg === 'SMPP server listening')!
    return { port: port!, role: { ...role, drain: drainOnce }, lines }
  }

  async function addAccount(
    clientId: string,
    settings: Partial<AccountSettings> = {},
    limits: { readonly scopes?: readonly Scope[]; readonly networks?: readonly string[] } = {},
  ): Promise<number> {
    const accountId = await createAccount(database, clientId, { smppBinds: 2, ...settings })
    await insertCredential(database, {
      accountId,
      keyId: createKeyId(),
      kind: 'smpp',
      hash,
      name: '',
      createdBy: 'test',
      endsAt: null,
      scopes: limits.scopes ?? null,
      networks: limits.networks ?? null,
    })
    return accountId
  }

  /** Records the next messages of the lane, as intake does. */
  async function record(
    count: number,
    lane: keyof typeof topology.accepted = 'normal',
  ): Promise<AcceptedJob[]> {
    const jobs = (await testBroker.drain(topology.accepted[lane], count)) as AcceptedJob[]
    await recordMessages(database, jobs, () => new Date(Date.now() + 3_600_000))
    return jobs
  }

  /** Closes messages as settle does: each gets its report. */
  async function report(jobs: readonly AcceptedJob[], cause: Cause = 'delivered'): Promise<void> {
    const at = new Date()
    await inTransaction(database, (transaction) =>
      closeMessages(
        transaction,
        jobs.map(({ msgKey }) => ({ msgKey, step: 1, try: 1, cause, parts: 1, sentAt: at, at })),
      ),
    )
  }

  return { database, start, addAccount, record, report }
}
