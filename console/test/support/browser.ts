/** Debian's Chromium, and what every screen must keep: no error in the browser's console, no violation that axe finds, no sideways scrolling. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'

/** Chromium without windows, toolbars and profiles: it takes a sixth less CPU than the whole one in the same tests. */
const program = '/usr/bin/chromium-headless-shell'
export const maxWaitMs = 120_000
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export function launchBrowser(): Promise<Browser> {
  if (!existsSync(program))
    throw new Error(`${program} is missing; install it with \`npm run services -- install --tests\``)
  // Tests run as root in containers, where Chromium has no sandbox of its own.
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
  /** Errors of scripts and of the content security policy. */
  readonly errors: string[]
}

export async function openPage(browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const { width = 1280, height = 860, theme = 'light', locale = 'en-GB' } = options
  const context = await browser.newContext({
    ...{ viewport: { width, height }, colorScheme: theme, locale },
    ...{ timezoneId: 'Asia/Seoul', reducedMotion: 'reduce' },
  })
  // Conditions are waited for; a machine that does other work takes longer to meet them.
  context.setDefaultTimeout(maxWaitMs)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // What the API refuses is shown on the page; the browser also writes it here.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) errors.push(message.text())
  })
  return { page, errors }
}

/** Signs in and waits for the figures of the ledger strip. */
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

/** In the theme that the page has. */
export function requireAccessible(page: Page, what: string): Promise<void> {
  return requireRules(page, what, {})
}

/** In the light theme, which the page has; and in the dark one, where only colours differ. */
export async function requireAccessibleInBoth(page: Page, what: string): Promise<void> {
  await requireAccessible(page, `${what}, light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await requireRules(page, `${what}, dark`, { runOnly: ['color-contrast', 'link-in-text-block'] })
  await page.emulateMedia({ colorScheme: 'light' })
}

async function requireRules(page: Page, what: string, options: RunOptions): Promise<void> {
  await page.locator('main h1').first().waitFor()
  // Axe does not know the colours of a button that is pointed at.
  await page.mouse.move(0, 0)
  // Once for each document; the console has no frames. Only what is wrong: half of the time of a complete report.
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
