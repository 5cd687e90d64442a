/**
 * Starts Debian's Chromium and checks what holds for every screen: no console errors, no axe violations, no horizontal
 * scrolling.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'

/** Headless shell of Chromium, which uses less CPU than the full browser. */
const program = '/usr/bin/chromium-headless-shell'
export const maxWaitMs = 120_000
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export function launchBrowser(): Promise<Browser> {
  if (!existsSync(program))
    throw new Error(`${program} is missing; install it with \`npm run engines -- install --tests\``)
  // Tests run as root in containers, where the Chromium sandbox does not work.
  return chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
}

export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
  readonly locale?: 'en-GB' | 'ko-KR'
}

export interface WatchedPage {
  readonly page: Page
  /** Script errors and errors in the browser's console, such as violations of the content security policy. */
  readonly errors: string[]
}

export async function openPage(browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const { width = 1280, height = 860, theme = 'light', locale = 'en-GB' } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale,
    timezoneId: 'Asia/Seoul',
    reducedMotion: 'reduce',
  })
  // Generous, because a busy machine is slow.
  context.setDefaultTimeout(maxWaitMs)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // The browser also logs 4xx responses, which the page handles.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) errors.push(message.text())
  })
  return { page, errors }
}

/** Signs in with an operator key and waits for the ledger strip. */
export async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(url)
  await page.locator('.button.link').click()
  await page.locator('input[type=password]').fill(key)
  await page.locator('button[type=submit]').click()
  await page.locator('.strip').waitFor()
}

/** Opens a screen from the menu, as an operator does, because a new page load would sign out. */
export async function openScreen(page: Page, path: string): Promise<void> {
  const link = page.locator(`.nav a[href="${path}"]`)
  if (!(await link.isVisible())) await page.locator('.menu-button').click()
  await link.click()
  await page.locator('main h1').waitFor()
}

/** Checks the page in its current theme. */
export function requireAccessible(page: Page, what: string): Promise<void> {
  return requireRules(page, what, {})
}

/** Checks the page in the light theme, then the colours in the dark one. */
export async function requireAccessibleInBoth(page: Page, what: string): Promise<void> {
  await requireAccessible(page, `${what}, light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await requireRules(page, `${what}, dark`, { runOnly: ['color-contrast', 'link-in-text-block'] })
  await page.emulateMedia({ colorScheme: 'light' })
}

async function requireRules(page: Page, what: string, options: RunOptions): Promise<void> {
  await page.locator('main h1').first().waitFor()
  // Axe cannot determine the colours of a hovered button.
  await page.mouse.move(0, 0)
  // Loaded once per document; the console has no frames. Reporting only violations halves the time.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const given = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(${given}).then(({ violations }) => violations)`,
  )
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`,
  )
  assert.deepEqual(found, [], what)
}

export async function requireNoSidewaysScroll(page: Page, what: string): Promise<void> {
  const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  assert.ok(over <= 0, `${what}: ${over} px wider than the window`)
}
