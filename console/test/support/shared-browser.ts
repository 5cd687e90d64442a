/**
 * One browser per process and one page per language, because starting a browser or a page is slow. Every test starts with a clean
 * page: empty storage, nothing loaded and no hovered element.
 */
import type { Browser } from 'playwright-core'
import { addCleanup, addProcessCleanup } from '../../../gateway/test/support/cleanup.ts'
import { launchBrowser, openPage, type PageOptions, type WatchedPage } from './browser.ts'

let launched: Promise<Browser> | undefined
const kept = new Map<string, WatchedPage>()
const restingPath = '/icon.svg'

/** For tests that open their own pages. Pages left open by a failed test are closed at the end of the file. */
export async function shareBrowser(): Promise<Browser> {
  const browser = await (launched ??= launch())
  addCleanup(() => closeOthers(browser))
  return browser
}

/** The page belongs to the test until the next call. */
export async function sharePage(options: PageOptions = {}): Promise<WatchedPage> {
  const { width = 1280, height = 860, theme = 'light', locale = 'en-GB' } = options
  const browser = await shareBrowser()
  // Unused pages must not send requests.
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
 * Navigates to a file of the same server that sends no requests. Not to a blank page: the console isolates itself from other
 * origins (Cross-Origin-Opener-Policy), and leaving and returning would start two processes.
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
  addProcessCleanup(() => browser.close())
  return browser
}
