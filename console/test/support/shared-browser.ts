/**
 * One browser for all test files of a process, and one page for each language: a start takes seconds of CPU, a new page one and a half.
 * Every test begins on it as on a new one: nothing is loaded, stored or pointed at.
 */
import type { Browser } from 'playwright-core'
import { atEnd, atProcessEnd } from '../../../gateway/test/support/cleanup.ts'
import { launchBrowser, openPage, type PageOptions, type WatchedPage } from './browser.ts'

let launched: Promise<Browser> | undefined
const kept = new Map<string, WatchedPage>()
const restingPath = '/icon.svg'

/** For pages of a test's own; those that it has left open, because it failed, are closed at the end of its file. */
export async function shareBrowser(): Promise<Browser> {
  const browser = await (launched ??= launch())
  atEnd(() => closeOthers(browser))
  return browser
}

/** It belongs to the test until the next one asks for a page. */
export async function sharePage(options: PageOptions = {}): Promise<WatchedPage> {
  const { width = 1280, height = 860, theme = 'light', locale = 'en-GB' } = options
  const browser = await shareBrowser()
  // Those that nobody looks at ask for nothing.
  await leaveAll()
  const earlier = kept.get(locale)
  if (earlier === undefined) {
    const opened = await openPage(browser, options)
    opened.page.once('crash', () => kept.delete(locale))
    kept.set(locale, opened)
    return opened
  }
  const { page, errors } = earlier
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.mouse.move(0, 0)
  errors.length = 0
  return earlier
}

/**
 * To a file of the same server, which asks for nothing. Not to an empty page: the console isolates itself from pages of other origins
 * (Cross-Origin-Opener-Policy), and the way there and back takes two new processes.
 */
async function leaveAll(): Promise<void> {
  for (const { page } of kept.values()) {
    const { pathname, protocol, origin } = new URL(page.url())
    if (pathname === restingPath || !protocol.startsWith('http')) continue
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
    await page.context().clearCookies()
    await page.goto(origin + restingPath).catch(() => page.goto('about:blank'))
  }
}

async function closeOthers(browser: Browser): Promise<void> {
  const shared = new Set([...kept.values()].map(({ page }) => page.context()))
  await Promise.all([
    leaveAll(),
    ...browser
      .contexts()
      .filter((context) => !shared.has(context))
      .map((context) => context.close()),
  ])
}

async function launch(): Promise<Browser> {
  const browser = await launchBrowser()
  atProcessEnd(() => browser.close())
  return browser
}
