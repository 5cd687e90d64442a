import { Webhook } from 'standardwebhooks'
import { makeJpeg } from '../../gateway/test/support/files/images.ts'
import { createAccount, postern } from '../../gateway/test/support/processes/postern-command.ts'
import { TestInstallation } from '../../gateway/test/support/processes/test-installation.ts'
import type { ScenarioSettings } from './scenario.ts'

export interface ClientInstallation {
  readonly url: string
  /** Creates accounts for one runtime. Separate accounts keep the reports of runtimes apart. */
  settings(name: string): Promise<ScenarioSettings>
  close(failed: boolean): Promise<void>
}

/** Starts a real gateway with a sandbox route. */
export async function openInstallation(): Promise<ClientInstallation> {
  const installation = await TestInstallation.open()
  await installation.putRoute({ id: 'sandbox', channels: ['sms', 'mms'] })
  const gateway = await installation.startGateway('all', 'gateway')
  await gateway.untilReady(120_000)
  const { environment } = installation
  return {
    url: gateway.url,
    async settings(name) {
      const [account, slowAccount] = await Promise.all([
        createAccount(environment, name),
        createAccount(environment, `${name} slow`, '--limits-send', '10'),
      ])
      const addKey = async (keyName: string, ...flags: string[]): Promise<string> => {
        const add = ['account', 'key', 'add', account.clientId, '--name', keyName, ...flags, '--json']
        const { key } = JSON.parse(await postern(environment, ...add)) as { key: string }
        return key
      }
      return {
        baseUrl: gateway.url,
        account,
        slowAccount,
        sendKey: await addKey('send', '--scopes', 'send'),
        fullKey: await addKey('full'),
        webhook: signedPush(),
        image: makeJpeg(600, 500).toString('base64'),
      }
    },
    async close(failed) {
      await installation.close(failed)
    },
  }
}

/** Signs a push with the library that the gateway uses. */
function signedPush(): ScenarioSettings['webhook'] {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  const body = JSON.stringify({ msgKey: '2026111500000012300K3V8Q2M7XDJ4T', reportCode: '10000', ref: '' })
  const id = '2026111500000012300K3V8Q2M7XDJ4T-1'
  const now = new Date()
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  }
  return { secret, headers, body }
}
