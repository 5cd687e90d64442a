/** Screenshots of rules, holds and the audit log with their data. */
import type { Page } from 'playwright-core'
import { addAuditRows } from './audit-rows.ts'
import { openScreen } from './browser.ts'
import type { ConsoleInstallation } from './console-installation.ts'
import { holdSuspicious, sendSuspicious } from './held-messages.ts'

interface Shot {
  readonly name: string
  readonly open: (page: Page) => Promise<unknown>
}

export async function prepareTrust(gateway: ConsoleInstallation): Promise<void> {
  await holdSuspicious(gateway)
  await sendSuspicious(gateway, 4)
  await addAuditRows(gateway.installation.databaseUrl, 2)
}

/** Opens a screen from the menu, follows a link to `path`, and waits for the element that `shown` selects. */
async function openPart(page: Page, screen: string, path: string, shown: string): Promise<void> {
  await openScreen(page, screen)
  if (path !== screen) await page.locator(`main a[href="${path}"]`).first().click()
  await page.locator(shown).first().waitFor()
}

export const trustShots: readonly Shot[] = [
  { name: 'rules', open: (page) => openPart(page, '/rules', '/rules', 'tbody tr') },
  { name: 'rules-caps', open: (page) => openPart(page, '/rules', '/rules/caps', '.used-bar') },
  { name: 'rules-suppression', open: (page) => openPart(page, '/rules', '/rules/suppression', 'textarea') },
  {
    name: 'rules-switches',
    open: async (page) => {
      await openPart(page, '/rules', '/rules/switches', 'tbody tr')
      // Shows only some of the rules.
      await page.locator('input[type=search]').fill('velocity')
    },
  },
  { name: 'audit', open: (page) => openPart(page, '/audit', '/audit', '.chain .badge.ok') },
  {
    name: 'audit-row',
    open: async (page) => {
      await openScreen(page, '/audit')
      await page.getByRole('row').filter({ hasText: 'carrier slow' }).getByRole('link').first().click()
      await page.locator('.differences').waitFor()
    },
  },
]
