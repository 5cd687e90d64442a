/**
 * An installation whose SMPP server the clients bind to: `postern smpp-server`, a worker, and a carrier
 * behind them.
 */
import pg from 'pg'
import { defaultSettings } from '../../../src/identity/accounts/account.ts'
import { insertCredential } from '../../../src/identity/accounts/credential-queries.ts'
import { createKeyId } from '../../../src/identity/accounts/key.ts'
import { hashPassword } from '../../../src/identity/accounts/password.ts'
import { insertAccount } from '../../../src/identity/accounts/queries.ts'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'

export const password = 'secret99'

export interface ServerUnderTest {
  readonly port: number
  /** Adds an account; its name is also its system_id. */
  addAccount(name: string): Promise<void>
  /** Limits messages per second of an account; 0 removes the limit. */
  limit(name: string, perSecond: number): Promise<void>
  /** Returns the parts that the carrier has received for a number, in order. */
  partsAt(to: string): Promise<readonly string[]>
  /** Returns the processes that exited unexpectedly or had to be killed. */
  close(): Promise<readonly string[]>
}

/** Short enough for enquire_link to occur in a run of half a minute. */
const enquireSeconds = 3

export async function openServer(): Promise<ServerUnderTest> {
  const installation = await TestInstallation.open()
  try {
    return await startServer(installation)
  } catch (error) {
    await installation.close(true)
    throw error
  }
}

async function startServer(installation: TestInstallation): Promise<ServerUnderTest> {
  const database = new pg.Pool({ connectionString: installation.databaseUrl, max: 2 })
  const port = await choosePort()
  const carrier = await installation.startSimulator('carrier', '--record')
  await installation.putRoute({ id: 'carrier', channels: ['international'], simulator: carrier })
  const gateways = [
    await installation.startGateway('smpp-server', 'server', {
      POSTERN_SMPP_SERVER_PORT: String(port),
      POSTERN_SMPP_SERVER_ENQUIRE_SECONDS: String(enquireSeconds),
    }),
    await installation.startGateway('worker', 'worker'),
  ]
  await Promise.all(gateways.map((gateway) => gateway.untilReady(120_000)))
  const hash = await hashPassword(password)
  return {
    port,
    async addAccount(name) {
      const settings = { ...defaultSettings, limits: { send: 0, report: 0, file: 0, form: 0 }, smppBinds: 4 }
      const accountId = await insertAccount(database, {
        ...settings,
        clientId: name,
        name,
        passwordHash: hash,
      })
      await insertCredential(database, {
        accountId,
        keyId: createKeyId(),
        kind: 'smpp',
        hash,
        name: '',
        createdBy: 'peers',
        endsAt: null,
        scopes: null,
        networks: null,
      })
    },
    async limit(name, perSecond) {
      await database.query('update accounts set send_limit = $2 where client_id = $1', [name, perSecond])
    },
    async partsAt(to) {
      const submissions = await carrier.submissions()
      return submissions
        .filter((submission) => submission.to.endsWith(to))
        .sort((left, right) => (left.part?.sequence ?? 0) - (right.part?.sequence ?? 0))
        .map(({ text, hex }) => text ?? `octets ${hex}`)
    },
    async close() {
      await database.end()
      const { unexpectedExits } = installation
      const late = await installation.close(unexpectedExits.length > 0)
      return [...unexpectedExits, ...late.map((name) => `${name} had to be killed`)]
    },
  }
}
