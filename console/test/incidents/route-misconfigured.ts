/** An operator mistypes the prefix of a route, so no route serves the country. */
import { callAdmin } from '../support/admin-client.ts'
import { findAlarm, type Incident } from './incident.ts'
import { phoneNumber, sendSteadily } from './traffic.ts'

const route = { protocol: 'sandbox', options: {}, channels: ['international'], priority: 50 }

export const routeMisconfigured: Incident = {
  name: 'route-misconfigured',
  options: { carrier: { channels: ['sms'] } },
  async prepare(testBed) {
    const { gateway } = testBed
    await callAdmin(gateway, 'operator', 'PUT', '/routes/japan-1', {
      ...route,
      prefixes: ['+81'],
      reason: 'contract with the carrier in Japan',
    })
    const { version } = await callAdmin<{ version: string }>(gateway, 'operator', 'GET', '/routes/japan-1')
    await callAdmin(
      gateway,
      'operator',
      'PUT',
      '/routes/japan-1',
      { ...route, prefixes: ['+18'], reason: 'ticket 4711: numbers of the new contract' },
      { 'if-match': version },
    )
    sendSteadily(testBed, gateway.client, 10, (nth) => ({
      from: '15880000',
      to: phoneNumber('010', nth, '0001'),
      text: `Order ${nth}`,
    }))
    // Workers apply the change within two seconds; messages sent earlier still use the route.
    sendSteadily(testBed, gateway.client, 3, (nth) => ({
      channel: 'international',
      from: '15880000',
      to: phoneNumber('+8190', nth, '0001'),
      text: `Order ${nth}`,
    }))
    return {
      'route-misconfigured': async (walk) => {
        const { page } = walk
        const { alarm, open } = findAlarm(page, 'no route serves them')
        await walk.begin(alarm)
        const found = page.locator('tbody tr', { hasText: '90000' }).first()
        await walk.click(open, found)
        const rung = page.locator('.rung', { hasText: 'japan-1' })
        await walk.click(found.getByRole('link').first(), rung)
        await walk.find(rung, /japan-1 .*Serves only numbers that begin with \+18/)
        const change = page.locator('.changes li', { hasText: 'ticket 4711' })
        await walk.click(rung.getByRole('link', { name: 'japan-1' }), change)
        await walk.find(
          change,
          /put prefixes: \+81 → \+18 .*by operator ticket 4711: numbers of the new contract/,
        )
      },
    }
  },
}
