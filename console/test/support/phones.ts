/**
 * Sets up an account that sends over a sandbox route, with the example messages of `npm run dev`. The console shows its messages
 * on phones.
 */
import { AccountClient } from '../../../gateway/test/support/processes/account-client.ts'
import { createAccount, prepareIn } from '../../../gateway/test/support/processes/postern-command.ts'
import { sendExamples, type ApiTarget } from '../../../tools/dev/examples.ts'
import type { ConsoleInstallation } from './console-installation.ts'
import { waitFor } from './wait.ts'

export interface SandboxAccount {
  readonly client: AccountClient
  readonly clientId: string
  readonly target: ApiTarget
  /** Reads from the admin API as an operator with the role support. */
  readAdmin<Data>(path: string): Promise<Data>
  /** Closes the client only; the account and its route stay. */
  close(): void
}

export const phonesRoute = 'phones'
const channels = 'sms,international,mms,rcs,alimtalk,friendtalk,brandmessage'

export async function openSandboxAccount(gateway: ConsoleInstallation): Promise<SandboxAccount> {
  const { installation, keys, url, apiUrl } = gateway
  const environment = { ...installation.environment, POSTERN_OPERATOR_KEY: keys.admin }
  const credentials = await createAccount(environment, 'Phones')
  await prepareIn(
    installation.root,
    environment,
    ...['route', 'put', phonesRoute, '--protocol', 'sandbox', '--channels', channels],
    ...['--priority', '10', '--accounts', credentials.clientId],
  )
  const readAdmin = async <Data>(path: string): Promise<Data> => {
    const headers = { authorization: `Bearer ${keys.support}` }
    const response = (await (await fetch(url + path, { headers })).json()) as { data: Data }
    return response.data
  }
  await waitFor('the link of the route', async () =>
    (await readAdmin<{ items: { id: string; state: string }[] }>('/admin/v1/routes')).items.some(
      ({ id, state }) => id === phonesRoute && state === 'healthy',
    ),
  )
  const client = new AccountClient(apiUrl, credentials)
  const { body } = await client.login()
  const target = { base: apiUrl, token: body.data!.token }
  await sendExamples(target)
  return { client, clientId: credentials.clientId, target, readAdmin, close: () => client.close() }
}
