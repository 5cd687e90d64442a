/** Screenshots of routes and parked jobs: a route that is down, one with a high failure rate, and one that is paused. */
import type { Page } from 'playwright-core'
import { query } from '../../../gateway/test/support/processes/scratch-database.ts'
import { callAdmin } from './admin-client.ts'
import { openScreen } from './browser.ts'
import type { ConsoleInstallation } from './console-installation.ts'
import { parkJobs } from './parked-jobs.ts'
import { waitFor } from './wait.ts'

interface Shot {
  readonly name: string
  readonly open: (page: Page) => Promise<unknown>
}

/** `gatewayOf` returns the installation, which is opened later. */
export function routeShots(gatewayOf: () => ConsoleInstallation): readonly Shot[] {
  let prepared: Promise<void> | undefined
  const prepare = (): Promise<void> => (prepared ??= prepareRoutes(gatewayOf()))
  const openRoute = async (page: Page, id: string): Promise<void> => {
    await prepare()
    await openScreen(page, '/routes')
    await page.getByRole('link', { name: id, exact: true }).click()
    await page.locator('svg.time-chart .mark, svg.time-chart').first().waitFor()
    await page.locator('.changes').waitFor()
    if (id === 'kt-2') await page.getByRole('table', { name: 'Failures' }).getByRole('link').first().waitFor()
  }
  return [
    {
      name: 'routes',
      open: async (page) => {
        await prepare()
        await openScreen(page, '/routes')
        await page.locator('.badge', { hasText: 'Impaired' }).waitFor({ timeout: 90_000 })
      },
    },
    { name: 'route', open: (page) => openRoute(page, 'kt-2') },
    {
      name: 'route-drain',
      open: async (page) => {
        await openRoute(page, 'carrier-a')
        await page
          .locator('.acts')
          .getByRole('button', { name: /^Drain/ })
          .click()
        await page.getByRole('dialog').locator('.split').waitFor({ timeout: 60_000 })
      },
    },
    {
      name: 'route-edit',
      open: async (page) => {
        await page.keyboard.press('Escape')
        await openScreen(page, '/routes')
        await page.getByRole('link', { name: 'carrier-a', exact: true }).click()
        await page.getByRole('link', { name: 'Edit', exact: true }).click()
        await page.getByLabel('System id').waitFor()
      },
    },
    {
      name: 'explain',
      open: async (page) => {
        await prepare()
        await page.keyboard.press('Escape')
        await openScreen(page, '/routes')
        await page.getByRole('link', { name: 'Explain a route' }).click()
        await page.getByLabel('Account').fill(gatewayOf().client.credentials.clientId)
        await page.getByLabel('Channel').selectOption('international')
        await page.getByLabel('Recipient').fill('+819012345678')
        await page.getByRole('button', { name: 'Explain' }).click()
        await page.locator('.rung.taken').waitFor()
      },
    },
    {
      name: 'parked',
      open: async (page) => {
        await prepare()
        await openScreen(page, '/parked')
        await page.locator('.reason').first().waitFor()
      },
    },
    {
      name: 'parked-job',
      open: async (page) => {
        await openScreen(page, '/parked')
        await page.locator('.table tbody th a').first().click()
        await page.getByText('Why it is parked').waitFor()
      },
    },
  ]
}

async function prepareRoutes(gateway: ConsoleInstallation): Promise<void> {
  const { url, keys } = gateway
  const { databaseUrl } = gateway.installation
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const response = await fetch(`${url}/admin/v1/routes/${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${keys.operator}`, 'content-type': 'application/json' },
    })
    if (!response.ok) throw new Error(await response.text())
  }
  const sandbox = { protocol: 'sandbox', options: {} }
  const carriers = ['skt-1', 'kt-2', 'lgu-1', 'japan-1', 'reserve']
  for (const [index, id] of carriers.entries())
    await send('PUT', id, {
      ...sandbox,
      channels: id === 'japan-1' ? ['international'] : ['sms', 'mms'],
      ...(id === 'kt-2' ? { priority: 50, prefixes: ['0107'] } : { priority: 200 + index * 10 }),
      partsPerSecond: 50 * (index + 1),
      owners: id === 'skt-1' ? 2 : 1,
      enabled: id !== 'reserve',
      ...(id === 'japan-1' ? { prefixes: ['+81'] } : {}),
    })
  // Traffic exceeds the rate, which creates a backlog.
  await send('POST', 'carrier-a/rate', { partsPerSecond: 10, reason: 'carrier asked for it' })
  await send('POST', 'lgu-1/pause', { reason: 'carrier maintenance until 15:00' })
  await send('POST', 'kt-2/rate', { partsPerSecond: 20, reason: 'many failures for half an hour' })
  // An hour of results; failures start half an hour ago.
  await query(
    databaseUrl,
    `insert into route_results (route_id, minute, delivered, failed)
     select r.id, date_trunc('minute', now()) - make_interval(mins => m),
            (r.per * (1 + 0.3 * sin(m / 6.0)) * case when r.id = 'kt-2' and m < 30 then 0.3 else 1 end)::int,
            (r.per * case when r.id = 'kt-2' and m < 30 then 0.6 else 0.012 end)::int
       from (values ('carrier-a', 2400), ('skt-1', 1500), ('kt-2', 900), ('lgu-1', 600), ('japan-1', 120)) as r (id, per),
            generate_series(1, 58) as m
      where not (r.id = 'lgu-1' and m < 6)`,
  )
  await sendOverFailing(gateway)
  await parkJobs(databaseUrl, [
    { stage: 'intake', reason: 'error 22021', count: 3 },
    { stage: 'intake', reason: 'error 42501', count: 128 },
    { stage: 'settle', reason: 'receipt of version 3; this process reads version 2', count: 12 },
    { stage: 'unreadable', reason: 'not JSON', count: 1 },
  ])
}

/** Sends over the failing route; nearly all failures share one prefix. */
async function sendOverFailing(gateway: ConsoleInstallation): Promise<void> {
  const send = (to: string): Promise<unknown> =>
    gateway.client.send('sms', { from: '15880000', to, text: 'Your order has been sent.' })
  await waitFor('the route to be used', async () => {
    await send('01072101234')
    const { sent } = await callAdmin<{ sent: number }>(gateway, 'viewer', 'GET', '/routes/kt-2/failures')
    return sent > 0
  })
  for (let nth = 0; nth < 40; nth += 1) {
    await send(`0107788${nth % 20 === 0 ? '0011' : '0007'}`)
    await send(`01072${10 + (nth % 30)}${nth % 8 === 0 ? '0016' : '1234'}`)
  }
}
