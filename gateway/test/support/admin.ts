/**
 * The admin API as `roles/admin.ts` puts it together, without a port, with the database user of commands. It has one operator of
 * each role.
 */
import type { FastifyInstance } from 'fastify'
import { ClientBounds } from '../../src/admin/client-bounds.ts'
import { adminOperations, openOperations } from '../../src/admin/operations.ts'
import { createSandboxFiles } from '../../src/admin/sandbox/files.ts'
import { createAdminServer, type AdminServerOptions } from '../../src/admin/server.ts'
import { openAdminDatabases } from '../../src/admin/services.ts'
import { RefusalThrottle } from '../../src/admin/throttle.ts'
import { roles, type Role } from '../../src/operators/rights.ts'
import { loadConfig } from '../../src/platform/config.ts'
import type { Database } from '../../src/platform/database.ts'
import { openEncryption, type Encryption } from '../../src/platform/encryption/encryption.ts'
import { acceptForAccount, openMessageEntry, type MessageEntry } from '../../src/roles/message-entry.ts'
import type { LimitUse } from '../../src/webhooks/actions.ts'
import { createTestBroker, type TestBroker } from './broker.ts'
import { atEnd } from './cleanup.ts'
import { createTestDatabase } from './database.ts'
import { addOperator } from './operators.ts'
import { createTestRuntime } from './runtime.ts'
import { quietLog, testMetrics } from './silent-log.ts'
import { useDatabaseUsers } from './use-database-users.ts'

export { addOperator }

export interface AdminAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: {
    readonly code: string
    /** Set for errors. */
    readonly detail: string
    readonly field?: string
    readonly facts?: Readonly<Record<string, unknown>>
    readonly done?: boolean
    readonly data?: never
  }
}

export interface TestAdmin extends Pick<TestBroker, 'broker' | 'topology'> {
  /** As the owner of the tables. */
  readonly database: Database
  readonly url: string
  readonly server: FastifyInstance
  /** By role; each operator is named after its role. */
  readonly keys: Readonly<Record<Role, string>>
  call(
    role: Role,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
  ): Promise<AdminAnswer>
  /** With any key, or none. */
  readonly callWith: (
    key: string | undefined,
    method: string,
    url: string,
    body?: object,
  ) => Promise<AdminAnswer>
  /** The `data` of a success; fails otherwise. */
  get<Data>(role: Role, url: string): Promise<Data>
}

export interface TestAdminOptions {
  readonly maxRefusals?: number
  readonly settings?: Readonly<Record<string, string>>
  readonly signIn?: AdminServerOptions['signIn']
  readonly encryption?: Encryption
  /** Of clients; without it they are not limited. */
  readonly limitUse?: LimitUse
}

export async function createTestAdmin({
  maxRefusals = 1_000,
  settings = {},
  signIn = {},
  encryption = openEncryption({}),
  limitUse = () => Promise.resolve(),
}: TestAdminOptions = {}): Promise<TestAdmin> {
  const { url, database } = await createTestDatabase()
  const { urlOf } = await useDatabaseUsers(url)
  const { broker, topology } = await createTestBroker()
  const databases = openAdminDatabases(urlOf('admin'), quietLog)
  const config = loadConfig({
    POSTERN_DATABASE_URL: url,
    POSTERN_BROKER_URLS: 'amqp://127.0.0.1',
    POSTERN_TOKEN_SECRET: 'x'.repeat(32),
    POSTERN_SANDBOX_PHONES: 'yes',
    ...settings,
  })
  await encryption.prepare(database)
  const runtime = createTestRuntime({
    database: databases.writes,
    databaseUrl: urlOf('admin'),
    broker,
    topology,
  })
  let entry: Promise<MessageEntry> | undefined
  const server = createAdminServer({
    services: {
      ...{ config, log: quietLog, metrics: testMetrics(), broker, topology, encryption, ...databases },
      openFile: createSandboxFiles(config, databases.reads),
      limitWebhookUse: limitUse,
      acceptMessage: async (...message) =>
        acceptForAccount(await (entry ??= openMessageEntry(runtime)), ...message),
    },
    operations: adminOperations,
    openOperations,
    throttle: new RefusalThrottle(maxRefusals),
    clientBounds: new ClientBounds(new RefusalThrottle(maxRefusals)),
    signIn,
  })
  atEnd(async () => {
    await server.close()
    await (await entry)?.stop()
    await databases.close()
  })
  const keys = {} as Record<Role, string>
  // The first operator must be an admin.
  for (const role of [...roles].reverse()) keys[role] = await addOperator(database, role, role)
  const callWith: TestAdmin['callWith'] = async (key, method, path, body) => {
    const answer = await server.inject({
      method: method as 'GET',
      url: path,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }
  return {
    ...{ database, url, server, keys, broker, topology, callWith },
    call: (role, method, path, body) => callWith(keys[role], method, path, body),
    async get(role, path) {
      const { status, body } = await callWith(keys[role], 'GET', path)
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
      return body.data!
    },
  }
}
