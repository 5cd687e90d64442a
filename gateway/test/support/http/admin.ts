/**
 * The admin API as assembled by `roles/admin.ts`, without a port, with the database user of the admin role and one
 * operator per role.
 */
import type { FastifyInstance } from 'fastify'
import { ClientBounds } from '../../../src/admin/client-bounds.ts'
import { adminOperations, openOperations } from '../../../src/operations/operations.ts'
import { createSandboxFiles } from '../../../src/operations/sandbox/files.ts'
import { createAdminServer, type AdminServerOptions } from '../../../src/admin/server.ts'
import { openAdminDatabases } from '../../../src/operations/services.ts'
import { RefusalThrottle } from '../../../src/operations/throttle.ts'
import { roles, type StaffRole } from '../../../src/identity/operators/rights.ts'
import { loadConfig } from '../../../src/platform/settings/config.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import { openEncryption, type Encryption } from '../../../src/platform/encryption/encryption.ts'
import { acceptForAccount, openMessageEntry, type MessageEntry } from '../../../src/roles/message-entry.ts'
import type { LimitUse } from '../../../src/edge/webhooks/actions.ts'
import { createTestBroker, type TestBroker } from '../engines/broker.ts'
import { addCleanup } from '../cleanup.ts'
import { createTestDatabase } from '../engines/database.ts'
import { addTestOperator } from './operators.ts'
import { createTestRuntime } from '../runtime.ts'
import { silentLog, testMetrics } from '../silent-log.ts'
import { useDatabaseUsers } from '../engines/use-database-users.ts'

export { addTestOperator }

export interface AdminResponse {
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
  /** Database of the owner of the tables. */
  readonly database: Database
  readonly url: string
  readonly server: FastifyInstance
  /** Keys by role; each operator is named after its role. */
  readonly keys: Readonly<Record<StaffRole, string>>
  call(
    role: StaffRole,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
  ): Promise<AdminResponse>
  /** Calls with any key, or without one. */
  readonly callWith: (
    key: string | undefined,
    method: string,
    url: string,
    body?: object,
  ) => Promise<AdminResponse>
  /** Returns `data` of a successful response; throws otherwise. */
  get<Data>(role: StaffRole, url: string): Promise<Data>
}

export interface TestAdminOptions {
  readonly maxRefusals?: number
  readonly settings?: Readonly<Record<string, string>>
  readonly signIn?: AdminServerOptions['signIn']
  readonly encryption?: Encryption
  /** Rate limit of clients; they are unlimited without it. */
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
  const databases = openAdminDatabases(urlOf('admin'), silentLog)
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
      config,
      log: silentLog,
      metrics: testMetrics(),
      broker,
      topology,
      encryption,
      ...databases,
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
  addCleanup(async () => {
    await server.close()
    await (await entry)?.stop()
    await databases.close()
  })
  const keys = {} as Record<StaffRole, string>
  // The first operator must be an admin.
  for (const role of [...roles].reverse()) keys[role] = await addTestOperator(database, role, role)
  const callWith: TestAdmin['callWith'] = async (key, method, path, body) => {
    const response = await server.inject({
      method: method as 'GET',
      url: path,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }
  return {
    database,
    url,
    server,
    keys,
    broker,
    topology,
    callWith,
    call: (role, method, path, body) => callWith(keys[role], method, path, body),
    async get(role, path) {
      const { status, body } = await callWith(keys[role], 'GET', path)
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
      return body.data!
    },
  }
}
