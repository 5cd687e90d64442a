/**
 * `npm run suite -- console:shots [now routes]`: takes screenshots of all or the given screens of a gateway with traffic, wide
 * ones in the light theme and narrow ones in the dark theme. Wide ones of screens in the documentation go to
 * docs/pictures/<screen>.png, all others to a temporary folder. Prints every path.
 */
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { launchBrowser, openPage, openScreen, signIn } from './support/browser.ts'
import { phones } from '../../tools/dev/examples.ts'
import { addClientLogin, signInAsClient } from './support/client-login.ts'
import { openConsole } from './support/console-installation.ts'
import { startShownBatch } from './support/example-batch.ts'
import { sendExamples, type MessageExamples } from './support/message-examples.ts'
import { openSandboxAccount } from './support/phones.ts'
import { routeShots } from './support/route-shots.ts'
import { addScreenshotObjects } from './support/screenshot-objects.ts'
import { prepareTrust, trustShots } from './support/trust-shots.ts'

interface Shot {
  readonly name: string
  /** Opens the screen; the page is signed in and shows the first screen. */
  readonly open: (page: Page) => Promise<unknown>
}

async function openFirst(page: Page, path: string): Promise<void> {
  await openScreen(page, path)
  await page.locator('.table a').first().click()
  await page.waitForURL(`**${path}/**`)
}

const shots: readonly Shot[] = [
  { name: 'now', open: (page) => page.locator('.stats').waitFor() },
  ...['messages', 'batches', 'accounts', 'senders', 'webhooks'].map((name): Shot => ({
    name,
    open: (page) => openScreen(page, `/${name}`),
  })),
  ...routeShots(() => gateway),
  { name: 'sandbox', open: openPhone },
  ...trustShots,
  { name: 'message', open: (page) => openMessage(page, examples.fallback) },
  { name: 'message-missing', open: (page) => openMessage(page, examples.delivered.replace(/.{4}$/, '0000')) },
  { name: 'batch', open: (page) => openFirst(page, '/batches') },
  { name: 'account', open: (page) => openFirst(page, '/accounts') },
  { name: 'sender', open: (page) => openFirst(page, '/senders') },
  { name: 'webhook', open: (page) => openFirst(page, '/webhooks') },
  { name: 'sign-in', open: openSignIn },
  // Last, because it signs in as a client user.
  { name: 'self-service', open: openAsClient },
]
/** Reloads the page, which signs out. */
async function openSignIn(page: Page): Promise<void> {
  await page.goto(gateway.url)
  await page.getByLabel('Password').waitFor()
}

/** Opens a phone that has received most kinds of messages. */
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
/** The screens that docs/operations shows. */
const documented: ReadonlySet<string> = new Set([
  ...['now', 'messages', 'message', 'batch', 'routes', 'route', 'parked', 'account'],
  ...['senders', 'webhook', 'sandbox', 'rules', 'audit', 'sign-in', 'self-service'],
])
/** Longer pages are cut, because the rest is list rows. */
const sizes = [
  { width: 1280, height: 860, maxHeight: 1_900, theme: 'light' },
  { width: 390, height: 844, maxHeight: 2_600, theme: 'dark' },
] as const
/** Time to fill curves and tanks. */
const trafficMs = 45_000

const chosen = process.argv.slice(2)
const pictures = join(import.meta.dirname, '../../docs/pictures')
const folder = join(tmpdir(), 'postern-console-shots')
mkdirSync(folder, { recursive: true })
const gateway = await openConsole({
  brokenRoute: true,
  settings: () => Promise.resolve({ POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }),
})
const closeReceivers = await addScreenshotObjects(gateway)
const browser = await launchBrowser()
try {
  if (chosen.length === 0 || chosen.includes('sandbox')) (await openSandboxAccount(gateway)).close()
  examples = await sendExamples(gateway)
  await startShownBatch(gateway)
  if (chosen.length === 0 || trustShots.some(({ name }) => chosen.includes(name))) await prepareTrust(gateway)
  gateway.startTraffic(40)
  const pages = await Promise.all(sizes.map((size) => openPage(browser, size)))
  for (const { page } of pages) await signIn(page, gateway.url, gateway.keys.admin)
  await pause(trafficMs)
  for (const { name, open } of shots.filter((shot) => chosen.length === 0 || chosen.includes(shot.name)))
    for (const [index, { page }] of pages.entries()) {
      await open(page)
      await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
      const { width, maxHeight } = sizes[index]!
      const path =
        width === sizes[0].width && documented.has(name)
          ? join(pictures, `${name}.png`)
          : join(folder, `${name}-${width}.png`)
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
