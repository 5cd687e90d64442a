/**
 * Creates objects for screenshots: accounts, one of them blocked, senders in every state except expired, a cap, a key, and webhooks
 * with a working and a failing receiver.
 */
import { openReceiver } from '../../../gateway/test/load/webhooks/receiver.ts'
import { callAdmin } from './admin-client.ts'
import type { ConsoleInstallation } from './console-installation.ts'

const names = ['Harbour Bakery', 'Northern Post', 'Han River Clinic', 'Blue Taxi', 'City Library'] as const
const day = 86_400_000

/** Returns a function that closes the receivers. */
export async function addScreenshotObjects(gateway: ConsoleInstallation): Promise<() => Promise<void>> {
  const { clientId } = gateway.client.credentials
  const post = <Data>(path: string, body: object): Promise<Data> =>
    callAdmin(gateway, 'admin', 'POST', path, body)
  for (const [index, name] of names.entries()) {
    const id = name.toLowerCase().replaceAll(' ', '-')
    await post('/accounts', { name, clientId: id, ...(index % 2 === 0 ? {} : { lane: 'bulk', weight: 2 }) })
  }
  await post('/accounts/blue-taxi/block', { reason: 'reported as spam, case 118' })
  await addSenders(clientId)
  await post(`/accounts/${clientId}/cap`, { class: 'all', day: 5_000, reason: 'contract' })
  await post(`/accounts/${clientId}/credentials`, {
    name: 'shop system',
    scopes: ['send', 'report'],
    days: 365,
  })
  const working = await openReceiver()
  let pushes = 0
  const broken = await openReceiver(() => (pushes++ % 3 === 0 ? undefined : { status: 503 }))
  await post(`/accounts/${clientId}/webhooks`, { name: 'Shop, new receiver', url: `${broken.url}/reports` })
  await post(`/accounts/${clientId}/webhooks`, { name: 'Shop', url: `${working.url}/reports` })
  return async () => {
    await Promise.all([working.close(), broken.close()])
  }

  async function addSenders(account: string): Promise<void> {
    const decided = [
      ['15880000', 'approve'],
      ['0212345678', null],
      ['0318765432', 'reject'],
      ['15991234', null],
      ['0519876543', 'block'],
      ['01023456789', null],
    ] as const
    for (const [value, decision] of decided) {
      const url = `/accounts/${account}/senders`
      const issued = new Date(Date.now() - 30 * day).toISOString().slice(0, 10)
      const proof = { kind: 'certificate', reference: 'KT-2026-118', issued }
      const { id } = await post<{ id: string }>(url, { kind: 'number', value, proof })
      if (decision !== null)
        await callAdmin(gateway, 'operator', 'POST', `${url}/${decision}`, {
          id,
          reason: 'documents were checked',
        })
    }
  }
}
