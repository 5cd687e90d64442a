/** Looks at the sandbox of an installation as the reader of a page does. */
import assert from 'node:assert/strict'
import { launchBrowser, openPage, openScreen, signIn } from './browser.ts'

export interface SeenMessage {
  /** A link that signs in by itself, unless there is a key. */
  readonly link: string
  /** Key of the operator who signs in. */
  readonly key?: string
  readonly number: string
  readonly text: string
}

/** Fails unless a phone of the sandbox shows the message, without an error of the page. */
export async function seeMessage({ link, key, number, text }: SeenMessage): Promise<void> {
  const browser = await launchBrowser()
  try {
    const { page, errors } = await openPage(browser)
    if (key === undefined) {
      const response = await page.goto(link)
      assert.equal(response?.status(), 200, `the link responds ${await response?.text()}`)
    } else {
      await signIn(page, link, key)
      await openScreen(page, '/sandbox')
    }
    await page.locator(`.phone-row[href*="${number}"]`).click()
    await page.locator('.handset-screen').getByText(text).first().waitFor()
    assert.deepEqual(errors, [])
  } finally {
    await browser.close()
  }
}
