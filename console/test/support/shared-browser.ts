/** One browser for all test files of a process: a start takes seconds of CPU. Each page has a context of its own. */
import type { Browser } from 'playwright-core'
import { atEnd, atProcessEnd } from '../../../gateway/test/support/cleanup.ts'
import { launchBrowser } from './browser.ts'

let launched: Promise<Browser> | undefined

/** Pages that a test has left open, because it failed, are closed at the end of its file. */
export async function shareBrowser(): Promise<Browser> {
  launched ??= launch()
  const browser = await launched
  atEnd(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

async function launch(): Promise<Browser> {
  const browser = await launchBrowser()
  atProcessEnd(() => browser.close())
  return browser
}
