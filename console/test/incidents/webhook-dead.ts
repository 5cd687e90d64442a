/** The server of a client stops, so its webhook fails. */
import { openReceiver } from '../../../gateway/test/load/webhooks/receiver.ts'
import { callAdmin } from '../support/admin-client.ts'
import { findAlarm, type Incident } from './incident.ts'
import { phoneNumber, sendSteadily } from './traffic.ts'

export const webhookDead: Incident = {
  name: 'webhook-dead',
  options: { settings: () => Promise.resolve({ POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }) },
  async prepare(testBed) {
    const { gateway } = testBed
    const { client } = gateway
    const receiver = await openReceiver()
    await callAdmin(gateway, 'admin', 'POST', `/accounts/${client.credentials.clientId}/webhooks`, {
      name: 'Order system',
      url: `${receiver.url}/reports`,
    })
    await receiver.close()
    sendSteadily(testBed, client, 5, (nth) => ({
      from: '15880000',
      to: phoneNumber('010', nth, '0001'),
      text: `Order ${nth}`,
    }))
    return {
      'webhook-dead': async (walk) => {
        const { page } = walk
        const { alarm, open } = findAlarm(page, 'webhook')
        await walk.begin(alarm)
        const row = page.getByRole('row', { name: /ECONNREFUSED|refused/i }).first()
        await walk.click(open, row)
        await walk.find(row, /No response.*(ECONNREFUSED|refused).*/i)
      },
    }
  },
}
