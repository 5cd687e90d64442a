/**
 * An operator's way from the first screen to the cause of an incident. Counts clicks and Enter; typing is free. Takes a
 * screenshot of the first screen and after every click.
 */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

export const maxClicks = 3

export interface Picture {
  /** For example `carrier-slow-1`. */
  readonly name: string
  readonly png: Buffer
}

export class Walk {
  readonly page: Page
  readonly name: string
  #clicks = 0
  readonly #pictures: Picture[] = []
  #seen = ''

  constructor(page: Page, name: string) {
    this.page = page
    this.name = name
  }

  get clicks(): number {
    return this.#clicks
  }

  get pictures(): readonly Picture[] {
    return this.#pictures
  }

  /** Text on the screen that states the cause. */
  get seen(): string {
    return this.#seen
  }

  /** Opens the first screen and waits for the first sign of the incident. */
  async begin(shown: Locator): Promise<void> {
    await this.page.locator('.nav a[href="/"]').click()
    await this.#show(shown)
  }

  async click(target: Locator, shown: Locator): Promise<void> {
    await target.click()
    await this.#count(shown)
  }

  /** Types and presses Enter, which counts as a click. */
  async enter(field: Locator, text: string, shown: Locator): Promise<void> {
    await field.fill(text)
    await field.press('Enter')
    await this.#count(shown)
  }

  /** Waits for a part of the screen and requires that it states the cause. */
  async find(part: Locator, words: RegExp): Promise<void> {
    await part.waitFor()
    const text = (await part.innerText()).replaceAll(/\s+/g, ' ').trim()
    assert.match(text, words)
    this.#seen = words.exec(text)![0]
  }

  async #count(shown: Locator): Promise<void> {
    this.#clicks += 1
    assert.ok(this.#clicks <= maxClicks, `${this.name}: more than ${maxClicks} clicks`)
    await this.#show(shown)
  }

  async #show(shown: Locator): Promise<void> {
    await shown.waitFor()
    await shown.scrollIntoViewIfNeeded()
    const name = `${this.name}-${this.#pictures.length}`
    this.#pictures.push({ name, png: await this.page.screenshot() })
  }
}
