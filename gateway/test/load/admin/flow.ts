/**
 * Starts the measured gateway as real processes on the filled database: an API, a worker, `postern admin`, a
 * carrier over SMPP, and a client that sends at a constant rate.
 */
import { AccountClient } from '../../support/processes/account-client.ts'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import { createAccount } from '../../support/processes/postern-command.ts'
import type { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'

const tickMs = 10

export interface Flow {
  readonly adminUrl: string
  /** The sending account. */
  readonly client: AccountClient
  /** Returns the messages sent and accepted since the start, and those with a report. */
  counts(): Promise<{ readonly sent: number; readonly accepted: number; readonly reported: number }>
  stop(): Promise<void>
}

/** Call before operators exist: commands need no key until then. */
export async function startFlow(installation: TestInstallation, perSecond: number): Promise<Flow> {
  const carrier = await installation.startSimulator('carrier', '--receipt-delay-ms', '300')
  await installation.putRoute({
    id: 'live',
    channels: ['sms'],
    simulator: carrier,
    flags: ['--priority', '0'],
  })
  const credentials = await createAccount(installation.environment, 'Live')
  const adminPort = await choosePort()
  const worker = await installation.startGateway('worker', 'worker')
  const api = await installation.startGateway('api', 'api', { POSTERN_REPORT_LIMIT: '0' })
  await installation.startGateway('admin', 'admin', {
    POSTERN_ADMIN_PORT: String(adminPort),
    POSTERN_SANDBOX_PHONES: 'yes',
  })
  const adminUrl = `http://127.0.0.1:${adminPort}`
  await Promise.all([api.untilReady(), worker.untilReady(), untilAnswered(adminUrl)])
  const client = new AccountClient(api.url, credentials)
  await client.login()
  const counts = { sent: 0, accepted: 0 }
  const began = performance.now()
  const send = async (nth: number): Promise<void> => {
    const to = `010${String(20_000_000 + nth).padStart(8, '0')}`
    const { body } = await client.send('sms', { from: '15880000', to, text: `Order ${nth} is on its way` })
    if (body.code === 'A000') counts.accepted += 1
  }
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) * perSecond) / 1000)
    while (counts.sent < due) send(counts.sent++).catch(() => undefined)
  }, tickMs)
  return {
    adminUrl,
    client,
    counts: async () => ({ ...counts, reported: await worker.metric('postern_messages_closed_total') }),
    stop() {
      clearInterval(timer)
      client.close()
      return Promise.resolve()
    },
  }
}

export async function untilAnswered(adminUrl: string): Promise<void> {
  const answers = (): Promise<boolean> =>
    fetch(`${adminUrl}/admin/v1/openapi.json`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitFor('a response of the admin API', answers, { timeoutMs: 60_000 })
}
