/** Prepares an incident in an installation and goes its ways in a page that is signed in. */
import type { Page } from 'playwright-core'
import type { ConsoleInstallation } from '../support/console-installation.ts'
import type { Incident } from './incident.ts'
import { Walk } from './walk.ts'

export interface Choice {
  /** One of its ways; all of them by default. */
  readonly only?: string
  /** Is given every walk, also one that does not find its cause. */
  readonly keep?: (walk: Walk) => void
}

export async function goThrough(
  incident: Incident,
  gateway: ConsoleInstallation,
  page: Page,
  { only, keep = () => undefined }: Choice = {},
): Promise<readonly Walk[]> {
  const ends: (() => unknown)[] = []
  const walks: Walk[] = []
  try {
    const ways = await incident.prepare({ gateway, atEnd: (end) => ends.push(end) })
    for (const [name, go] of Object.entries(ways)) {
      if (only !== undefined && name !== only) continue
      const walk = new Walk(page, name)
      keep(walk)
      await go(walk)
      walks.push(walk)
    }
    return walks
  } finally {
    for (const end of ends.reverse()) await end()
  }
}
