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

/** Waits until the present screen is replaced, because it stays, under the new address, until the next one has loaded. */
async function leaveScreen(page: Page, open: () => Promise<unknown>): Promise<void> {
  const heading = await page.locator('main h1').elementHandle()
  await open()
  await heading.waitForElementState('hidden')
}

async function openList(page: Page, path: string): Promise<void> {
  if (new URL(page.url()).pathname === path) return
  await leaveScreen(page, () => openScreen(page, path))
}

function listShot(name: string): Shot {
  return { name, open: (page) => openList(page, `/${name}`) }
}

async function openFirst(page: Page, path: string, link = '.table a'): Promise<void> {
  await openList(page, path)
  await leaveScreen(page, () => page.locator(link).first().click())
}

/** `DataTable` and `Loading` show this until they have data. */
const loading = 'main .empty[role="status"]'

const sandboxShot: Shot = { name: 'sandbox', open: openPhone }
const messagesShot = listShot('messages')
/** Taken during traffic. */
const shots: readonly Shot[] = [
  { name: 'now', open: openNow },
  // Before the batch ends.
  { name: 'batch', open: (page) => openFirst(page, '/batches') },
  ...['batches', 'accounts', 'senders', 'webhooks'].map(listShot),
  ...routeShots(() => gateway),
  ...trustShots,
  { name: 'message', open: (page) => openMessage(page, examples.fallback) },
  { name: 'message-missing', open: (page) => openMessage(page, examples.delivered.replace(/.{4}$/, '0000')) },
  { name: 'account', open: openAccount },
  { name: 'sender', open: (page) => openFirst(page, '/senders') },
  { name: 'webhook', open: (page) => openFirst(page, '/webhooks') },
  { name: 'sign-in', open: openSignIn },
  // Last, because it signs in as a client user.
  { name: 'self-service', open: openAsClient },
]
/** Opens the account with traffic. */
async function openAccount(page: Page): Promise<void> {
  await openFirst(page, '/accounts', `.table a[href="/accounts/${gateway.client.credentials.clientId}"]`)
}

/** Reloads the page, which signs out. */
async function openSignIn(page: Page): Promise<void> {
  await page.goto(gateway.url)
  await page.getByLabel('Password').waitFor()
}

async function openNow(page: Page): Promise<void> {
  await openList(page, '/')
  // A busy machine causes this alarm.
  await page.locator('.alarm', { hasText: 'PostgreSQL' }).waitFor({ state: 'detached' })
}

/** Opens a phone that has received most kinds of messages and has replied. */
async function openPhone(page: Page): Promise<void> {
  await openList(page, '/sandbox')
  await page.locator(`.phone-row[href*="${phones.minji}"]`).click()
  await page.locator('.bubble.mms img').waitFor()
  const reply = page.locator('.bubble.own')
  if ((await reply.count()) === 0) {
    await page.getByLabel('Reply as the recipient').fill('네, 감사합니다!')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
  }
  await reply.waitFor()
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
const isChosen = ({ name }: Shot): boolean => chosen.length === 0 || chosen.includes(name)
const gateway = await openConsole({
  brokenRoute: true,
  settings: () => Promise.resolve({ POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }),
})
const closeReceivers = await addScreenshotObjects(gateway)
const browser = await launchBrowser()
try {
  const pages = await Promise.all(sizes.map((size) => openPage(browser, size)))
  for (const { page } of pages) await signIn(page, gateway.url, gateway.keys.admin)
  // These two are taken before traffic fills their lists.
  ;(await openSandboxAccount(gateway)).close()
  for (const { page } of pages) await page.locator('.strip', { hasText: /Accepted\s*[1-9]/ }).waitFor()
  if (isChosen(sandboxShot)) await take(sandboxShot, pages)
  examples = await sendExamples(gateway)
  if (isChosen(messagesShot)) await take(messagesShot, pages)
  for (const { page } of pages) await openList(page, '/')
  await startShownBatch(gateway)
  if (trustShots.some(isChosen)) await prepareTrust(gateway)
  gateway.startTraffic(40)
  await pause(trafficMs)
  for (const shot of shots.filter(isChosen)) await take(shot, pages)
} finally {
  await browser.close()
  await gateway.close(false)
  await closeReceivers()
}

/** `pages` has one page per size. */
async function take({ name, open }: Shot, pages: readonly { readonly page: Page }[]): Promise<void> {
  for (const [index, { page }] of pages.entries()) {
    await open(page)
    await page.locator(loading).first().waitFor({ state: 'detached' })
    await page.locator('.strip', { hasText: /s old$/ }).waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
    const { width, maxHeight } = sizes[index]!
    const path =
      width === sizes[0].width && documented.has(name)
        ? join(pictures, `${name}.png`)
        : join(folder, `${name}-${width}.png`)
    // Nothing is shown as hovered or scrolled.
    await page.mouse.move(0, 0)
    await page.evaluate('scrollTo(0, 0)')
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    const clip = { x: 0, y: 0, width, height: Math.min(height, maxHeight) }
    await page.screenshot({ path, fullPage: true, clip })
    process.stdout.write(`${path}\n`)
  }
}
