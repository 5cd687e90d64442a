/**
 * `npm run console:shots [-- now routes]`: writes docs/console/<screen>-<width>.png for every screen, or those that are named, of a gateway
 * that sends. The wide picture is light, the narrow one dark, so that both themes are seen.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { launchBrowser, openPage, openScreen, signIn } from './support/browser.ts'
import { phones } from '../../scripts/dev/examples.ts'
import { addClientLogin, signInAsClient } from './support/client-login.ts'
import { openConsole } from './support/console-installation.ts'
import { sendExamples, type MessageExamples } from './support/message-examples.ts'
import { openPhones } from './support/phones.ts'
import { routeShots } from './support/route-shots.ts'
import { addShownObjects } from './support/shown-objects.ts'
import { prepareTrust, trustShots } from './support/trust-shots.ts'

interface Shot {
  readonly name: string
  /** Brings the page to what is shown; it is signed in and shows the first screen. */
  readonly open: (page: Page) => Promise<unknown>
}

async function openFirst(page: Page, path: string): Promise<void> {
  await openScreen(page, path)
  await page.locator('.table a').first().click()
  await page.waitForURL(`**${path}/**`)
}

const shots: readonly Shot[] = [
  { name: 'now', open: (page) => page.locator('.stats').waitFor() },
  ...['messages', 'accounts', 'senders', 'webhooks'].map((name): Shot => ({
    name,
    open: (page) => openScreen(page, `/${name}`),
  })),
  ...routeShots(() => gateway),
  { name: 'sandbox', open: openPhone },
  ...trustShots,
  { name: 'message', open: (page) => openMessage(page, examples.fallback) },
  { name: 'message-missing', open: (page) => openMessage(page, examples.delivered.replace(/.{4}$/, '0000')) },
  { name: 'account', open: (page) => openFirst(page, '/accounts') },
  { name: 'sender', open: (page) => openFirst(page, '/senders') },
  { name: 'webhook', open: (page) => openFirst(page, '/webhooks') },
  { name: 'sign-in', open: openSignIn },
  // The last one: it signs in as somebody else.
  { name: 'self-service', open: openAsClient },
]
/** Loading the page signs out. */
async function openSignIn(page: Page): Promise<void> {
  await page.goto(gateway.url)
  await page.getByLabel('Password').waitFor()
}

/** One that has received most kinds of messages. */
async function openPhone(page: Page): Promise<void> {
  await openScreen(page, '/sandbox')
  await page.locator(`.phone-row[href*="${phones.minji}"]`).click()
  await page.locator('.bubble.mms img').waitFor()
}

let clientKey: Promise<string> | undefined
async function openAsClient(page: Page): Promise<void> {
  const { installation, client, url } = gateway
  clientKey ??= addClientLogin(installation.databaseUrl, 'park@shop.example', client.credentials.clientId)
  await signInAsClient(page, url, await clientKey)
  await page.locator('.usage svg').waitFor()
}

let examples: MessageExamples
async function openMessage(page: Page, msgKey: string): Promise<void> {
  await openScreen(page, '/messages')
  await page.getByRole('searchbox').fill(msgKey)
  await page.getByRole('searchbox').press('Enter')
  await page.locator('.event-list, .missing').waitFor()
}
/** What is longer repeats itself: rows of a list. */
const sizes = [
  { width: 1280, height: 860, maxHeight: 1_900, theme: 'light' },
  { width: 390, height: 844, maxHeight: 2_600, theme: 'dark' },
] as const
/** For curves and tanks to have something to show. */
const trafficMs = 45_000

const chosen = process.argv.slice(2)
const folder = join(import.meta.dirname, '../../docs/console')
mkdirSync(folder, { recursive: true })
const gateway = await openConsole({
  brokenRoute: true,
  settings: () => Promise.resolve({ POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }),
})
const closeReceivers = await addShownObjects(gateway)
const browser = await launchBrowser()
try {
  if (chosen.length === 0 || chosen.includes('sandbox')) (await openPhones(gateway)).close()
  examples = await sendExamples(gateway)
  if (chosen.length === 0 || trustShots.some(({ name }) => chosen.includes(name))) await prepareTrust(gateway)
  gateway.startTraffic(40)
  const pages = await Promise.all(sizes.map((size) => openPage(browser, size)))
  for (const { page } of pages) await signIn(page, gateway.url, gateway.keys.admin)
  await pause(trafficMs)
  for (const { name, open } of shots.filter((shot) => chosen.length === 0 || chosen.includes(shot.name)))
    for (const [index, { page }] of pages.entries()) {
      await open(page)
      await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
      const path = join(folder, `${name}-${sizes[index]!.width}.png`)
      const { width, maxHeight } = sizes[index]!
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      const clip = { x: 0, y: 0, width, height: Math.min(height, maxHeight) }
      await page.screenshot({ path, fullPage: true, clip })
      process.stdout.write(`${path}\n`)
    }
} finally {
  await browser.close()
  await gateway.close(false)
  await closeReceivers()
}
